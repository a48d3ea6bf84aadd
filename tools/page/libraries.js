// What the page needs of its libraries, under the names it calls them by.
import * as lil from "lil-gui";
import {
  BufferAttribute, BufferGeometry, DataTexture, DirectionalLight, DoubleSide, FloatType, GLSL3, Group,
  HemisphereLight, LineBasicMaterial, LineSegments, Matrix3, Mesh, MeshLambertMaterial, MOUSE, OrthographicCamera,
  PerspectiveCamera, Points, Raycaster, RGBAFormat, RGBAIntegerFormat, Scene, ShaderMaterial, ShortType, Sphere,
  UnsignedByteType, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import uPlot from "uplot";

const THREE = {
  BufferAttribute, BufferGeometry, DataTexture, DirectionalLight, DoubleSide, FloatType, GLSL3, Group,
  HemisphereLight, LineBasicMaterial, LineSegments, Matrix3, Mesh, MeshLambertMaterial, MOUSE, OrthographicCamera,
  PerspectiveCamera, Points, Raycaster, RGBAFormat, RGBAIntegerFormat, Scene, ShaderMaterial, ShortType, Sphere,
  UnsignedByteType, Vector2, Vector3, WebGLRenderer,
};
Object.assign(window, { THREE, OrbitControls, lil, uPlot });
