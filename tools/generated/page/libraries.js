// What the page needs of its libraries, under the names it calls them by.
import * as lil from "lil-gui";
import {
  BufferAttribute, BufferGeometry, Color, ColorManagement, DataTexture, DepthTexture, DirectionalLight, DoubleSide,
  FloatType, GLSL3, Group, HemisphereLight, LinearSRGBColorSpace, Matrix3, Mesh, MeshLambertMaterial, MOUSE, NearestFilter,
  OrthographicCamera, PerspectiveCamera, Points, Raycaster, RGBAFormat, RGBAIntegerFormat, Scene, ShaderMaterial, ShortType,
  Sphere, TOUCH, UnsignedByteType, Vector2, Vector3, WebGLRenderer, WebGLRenderTarget,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import uPlot from "uplot";

const THREE = {
  BufferAttribute, BufferGeometry, Color, ColorManagement, DataTexture, DepthTexture, DirectionalLight, DoubleSide,
  FloatType, GLSL3, Group, HemisphereLight, LinearSRGBColorSpace, Matrix3, Mesh, MeshLambertMaterial, MOUSE, NearestFilter,
  OrthographicCamera, PerspectiveCamera, Points, Raycaster, RGBAFormat, RGBAIntegerFormat, Scene, ShaderMaterial, ShortType,
  Sphere, TOUCH, UnsignedByteType, Vector2, Vector3, WebGLRenderer, WebGLRenderTarget,
};
Object.assign(window, { THREE, OrbitControls, lil, uPlot });
