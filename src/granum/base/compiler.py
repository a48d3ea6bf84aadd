"""How Granum drives Numba: kernels become intermediate code once, and machine code where Python calls them.

Numba makes machine code and a wrapper for Python of every function that it meets, although most kernels are called by
other kernels alone. Here a kernel has up to three forms:

- *linked*: LLVM's intermediate code of one kernel for one list of argument types;
- *called*: machine code of the kernel and of all that it calls, with a wrapper for Python;
- *address*: the same as a C function.

The last two are made from the first by linking and optimising. Where one kernel calls another, argument types are
normalised (`plain`), so that a literal or a 32-bit index does not compile the callee again. `kernel_cache` keeps all
forms on disk.

This file and `lowering` rely on internals of Numba, which `pyproject.toml` therefore pins to one minor version;
`stock_compiler` does without them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from llvmlite import binding as llvm
from numba import _dynfunc
from numba.core import compiler, config, event, registry, serialize, typed_passes, typing, untyped_passes
from numba.core import types as _types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.environment import lookup_environment
from numba.core.runtime import rtsys
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction as _BaseFunction

from granum.base.compiling import waiting
from granum.base.garbage import without_collections
from granum.base.kernel_cache import KernelCache, load, save
from granum.base.lowering import KernelLowering

types: Any = _types
BaseFunction: Any = _BaseFunction
LINKING = "granum:link"
"""Numba event around linking, optimising and making machine code of an entry; "numba:compile" goes before it."""


class Linked(NamedTuple):
    """A kernel for one list of argument types, as intermediate code."""

    signature: Any
    description: Any
    environment: Any
    library: LinkedLibrary

    @property
    def entry_point(self) -> str:
        """What other kernels call it by."""
        return str(self.description.llvm_func_name)


class Entry(NamedTuple):
    """Machine code that Python, or compiled code by its address, calls."""

    symbol: str
    object_code: bytes
    environments: tuple[Any, ...]
    """Objects of Python that the code refers to, under Numba's names for them."""
    initialise: tuple[Callable[[], None], ...]
    """What has to be called before the code runs: parallel loops start their threads."""


class CFunction(NamedTuple):
    """A C function; its address holds as long as this lives, as its code refers to objects of Python."""

    address: int
    entry: Entry


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Intermediate code of one kernel, without that of the kernels that it calls."""

    file: str | None = None
    """Name in the cache; None if it is not kept."""
    symbol: str = ""
    """What other kernels call it by."""
    _whole: Any = None

    def finalize(self) -> None:
        """Take in what Numba itself compiled on the way."""
        for library in self._linking_libraries:
            if not isinstance(library, LinkedLibrary) and library is not rtsys.library:
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
                self._reload_init.update(library._reload_init)
        self._finalized = True

    def own_module(self) -> Any:
        """The code of this kernel alone."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """For code that Numba links by itself, such as the body of a parallel loop: all that it needs."""
        if self._whole is None:
            self._whole = self.own_module().clone()
            for library in self.closure()[1:]:
                self._whole.link_in(library.own_module(), preserve=True)
        return self._whole

    @property
    def callees(self) -> list[LinkedLibrary]:
        """Libraries of the kernels that this one calls, each once."""
        return list(dict.fromkeys(each for each in self._linking_libraries if isinstance(each, LinkedLibrary)))

    def closure(self) -> list[LinkedLibrary]:
        """This library and all that it reaches, each once."""
        reached: dict[LinkedLibrary, None] = {}
        waiting = [self]
        while waiting:
            library = waiting.pop()
            if library not in reached:
                reached[library] = None
                waiting += library.callees
        return list(reached)


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code of a kernel and of all that it reaches."""

    def _optimize_final_module(self) -> None:
        """Optimise the code as a whole; then close it: the loader would merge equal names with code loaded before.

        The passes are those that Numba runs on the bodies of parallel loops: with others, one and two threads would
        not give the same bits.
        """
        super()._optimize_final_module()
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = llvm.Linkage.internal


class _Pipeline(compiler.CompilerBase):  # type: ignore[misc]
    """The passes of Numba that kernels need, ending in a `LinkedLibrary`.

    Left out are those for closures, literals, list comprehensions, array expressions and branches on types, each of
    which analyses the whole function anew. Parallel loops need some of them.
    """

    PASSES = (
        (untyped_passes.TranslateByteCode, "analyzing bytecode"), (untyped_passes.FixupArgs, "fix up args"),
        (untyped_passes.IRProcessing, "processing IR"), (untyped_passes.GenericRewrites, "nopython rewrites"),
        (untyped_passes.ReconstructSSA, "ssa"), (typed_passes.NopythonTypeInference, "nopython frontend"),
        (typed_passes.PreLowerStripPhis, "remove phis nodes"), (typed_passes.IRLegalization, "ensure IR is legal"),
        (KernelLowering, "native lowering"), (typed_passes.NoPythonBackend, "nopython mode backend"),
    )

    def compile_extra(self, func: Any) -> Any:
        self.state.library = LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        if self.state.flags.auto_parallel.enabled:
            return [compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)]
        manager = PassManager("kernel")
        for each in self.PASSES:
            manager.add_pass(*each)
        manager.finalize()
        return [manager]


def plain(kind: Any) -> Any:
    """The type of an argument for which a kernel is compiled when another kernel calls it."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < types.int64.bitwidth):
        return types.int64
    return kind


class KernelDispatcher(registry.CPUDispatcher):  # type: ignore[misc]
    """A kernel: called from Python, called by kernels while they are compiled, or asked for its address."""

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None,
                 pipeline_class: Any = _Pipeline) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class)
        self._compiler._customize_flags = _linked_only
        self._kept = KernelCache(py_func, __file__)
        self._called: dict[tuple[Any, ...], Any] = {}

    def compile(self, sig: Any) -> Any:
        """The kernel as a function of Python for these argument types."""
        arguments = tuple(sig)
        with global_compiler_lock:
            if arguments not in self._called:
                entry = self._entry("called", arguments)
                name = self.py_func.__name__
                function = _dynfunc.make_function(sys.modules[self.py_func.__module__], name, name, _address(entry),
                                                  entry.environments[0], (entry,))
                self._insert([kind._code for kind in arguments], function, False)
                self._called[arguments] = function
            return self._called[arguments]

    def c_function(self, signature: Any) -> CFunction:
        """The kernel as a C function."""
        with global_compiler_lock:
            entry = self._entry("address", tuple(signature.args), signature.return_type)
            return CFunction(_address(entry), entry)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What another kernel needs to call this one with arguments of these types."""
        pysig, args = self._compiler.fold_argument_types(args, kws)
        arguments = tuple(map(plain, args))
        linked = self.link(arguments)
        template = typing.make_concrete_template(self.py_func.__name__, self.py_func.__name__, [linked.signature])
        return template, pysig, arguments, {}

    def link(self, arguments: tuple[Any, ...], return_type: Any = None) -> Linked:
        """The kernel as intermediate code."""
        if arguments not in self.overloads:
            # looking for garbage took a seventh of the time
            with self._compiling_counter, _remembering(), without_collections():
                self.overloads[arguments] = self._link(arguments, return_type)
        return cast(Linked, self.overloads[arguments])

    def _link(self, arguments: tuple[Any, ...], return_type: Any) -> Linked:
        name = self._kept.name("linked", arguments)
        linked = _read_linked(name)
        if linked is None:
            waiting.began(self._title)
            with event.trigger_event("numba:compile", data={"dispatcher": self, "args": arguments}):
                result = self._compiler.compile(arguments, return_type)
            result.library._ensure_finalized()
            result.fndesc.typemap = result.fndesc.calltypes = None
            linked = Linked(result.signature, result.fndesc, result.environment, result.library)
            _keep_linked(name, linked)
        self.targetctx.insert_user_function(linked.entry_point, linked.description, [linked.library])
        return linked

    def _entry(self, form: str, arguments: tuple[Any, ...], return_type: Any = None) -> Entry:
        """The machine code, from the cache or made now."""
        name = self._kept.name(form, arguments)
        kept = load(name)
        if kept is not None:
            return Entry(*serialize.loads(kept))
        with waiting.timed():
            linked = self.link(arguments, return_type)
            waiting.began(f"{self._title} (machine code)")
            with event.trigger_event(LINKING, data={"dispatcher": self, "args": arguments}):
                entry = self._machine_code(linked, form)
        save(name, serialize.dumps(tuple(entry)))
        return entry

    @property
    def _title(self) -> str:
        return f"{self.py_func.__module__.removeprefix('granum.')}.{self.py_func.__name__}"

    def _machine_code(self, linked: Linked, form: str) -> Entry:
        """Link a kernel with all that it reaches, optimise, and make machine code."""
        self.targetctx.refresh()  # nothing has been compiled yet where the kernel comes from the cache
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        context = compiler._make_subtarget(self.targetctx, flags)
        library = EntryLibrary(context.codegen(), linked.description.qualname)
        library.enable_object_caching()
        if form == "called":
            symbol, wrap = linked.description.llvm_cpython_wrapper_name, context.create_cpython_wrapper
        else:
            symbol, wrap = linked.description.llvm_cfunc_wrapper_name, context.create_cfunc_wrapper
        with ConfigStack().enter(flags):
            wrap(library, linked.description, linked.environment, None)
        for needed in linked.library.closure():
            library._final_module.link_in(needed.own_module(), preserve=True)
            library._reload_init.update(needed._reload_init)
        library.add_linking_library(rtsys.library)
        library.finalize()
        names = [variable.name for variable in library._final_module.global_variables]
        environments = [lookup_environment(name) for name in names if name.startswith("_ZN08NumbaEnv")]
        return Entry(symbol, library._get_compiled_object(), tuple(each for each in environments if each is not None),
                     tuple(library._reload_init))


def _linked_only(flags: Any) -> Any:
    """Neither wrappers nor machine code are made."""
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
    return flags


def _keep_linked(name: str, linked: Linked) -> None:
    library = linked.library
    library.symbol = linked.entry_point
    if all(callee.file is not None for callee in library.callees) and save(name, serialize.dumps((
            linked.signature, linked.description, linked.environment, tuple(library._reload_init),
            library.own_module().as_bitcode(),
            [(callee.file, callee.symbol) for callee in library.callees]))):
        library.file = name


_read: dict[str, Linked] = {}


def _read_linked(name: str) -> Linked | None:
    """A linked kernel from the cache, with all that it calls; None if any of them is missing or of another build."""
    if name in _read:
        return _read[name]
    kept = load(name)
    if kept is None:
        return None
    signature, description, environment, initialise, bitcode, callees = serialize.loads(kept)
    library = LinkedLibrary(registry.cpu_target.target_context.codegen(), description.qualname)
    for file, symbol in callees:
        callee = _read_linked(file)
        if callee is None or callee.entry_point != symbol:
            return None
        library.add_linking_library(callee.library)
    library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
    library._reload_init.update(initialise)
    library._finalized, library.file, library.symbol = True, name, description.llvm_func_name
    _read[name] = Linked(signature, description, environment, library)
    return _read[name]


def _address(entry: Entry) -> int:
    """Make machine code executable, and return where it is."""
    context = registry.cpu_target.target_context
    codegen, engine = context.codegen(), context.codegen()._engine
    if not engine.is_symbol_defined(entry.symbol):  # it comes from the cache
        rtsys.initialize(context)
        for initialise in entry.initialise:
            initialise()
        engine._ee.add_object_file(llvm.ObjectFileRef.from_data(entry.object_code))
        engine._defined_symbols.add(entry.symbol)
        engine.finalize_object()
    for environment in entry.environments:
        codegen.set_env(environment.env_name, environment)
    return int(engine.get_function_address(entry.symbol))


_resolve = BaseFunction.get_call_type
_resolved: dict[Any, Any] = {}


@contextmanager
def _remembering() -> Iterator[None]:
    """While kernels are compiled, Numba remembers how it resolved calls of its own functions.

    For one `+` of two numbers it tries some thirty candidates; that took a third of the time to compile a kernel.
    """
    before = BaseFunction.get_call_type
    BaseFunction.get_call_type = _remembered
    try:
        yield
    finally:
        BaseFunction.get_call_type = before


def _remembered(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """The signature of a call of one of Numba's functions; an implementation may depend on the compiler's flags."""
    key = (function, tuple(args), tuple(kws.items()), _Flags.key())
    if key not in _resolved:
        _resolved[key] = _resolve(function, context, args, kws)
    return _resolved[key]


class _Flags:
    """The compiler's flags as something that is fast to compare; they change with the function that is compiled."""

    _last: Any = None
    _key: Any = None

    @classmethod
    def key(cls) -> Any:
        flags = ConfigStack.top_or_none()
        if flags is not cls._last:
            cls._last, cls._key = flags, None if flags is None else str(flags.values())
        return cls._key


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function with the arithmetic of kernels and keep its machine code.

    Contraction to fused multiply-add is the only liberty taken with IEEE arithmetic (it is deterministic),
    and division follows NumPy, so that a zero divisor shows as inf instead of raising inside a loop.
    """
    if config.DISABLE_JIT:
        return function
    return KernelDispatcher(function, targetoptions={
        "nopython": True, "error_model": "numpy", "fastmath": {"contract"}, "boundscheck": None, **options})


def c_function(function: Callable[..., Any], signature: Any) -> CFunction:
    """The function as a C function, with the arithmetic of kernels."""
    return cast(CFunction, compiled(function).c_function(signature))
