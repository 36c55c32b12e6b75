"""Knowledge of library types that no project defines: containers, promises, wrappers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.codegraph.extraction.facts import (
    CALLED_ON,
    EACH,
    FUNC,
    MAPPING,
    NULLABLE,
    TUPLE,
    Shape,
    ShapeOp,
)
from commonplace.codegraph.resolution.linking import DefinitionKey, Form, Type, Types

# Types that stand for their first argument, or for any of their arguments.
WRAPPERS = frozenset(
    {
        "Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable", "Awaited", "Exclude",
        "Except", "Simplify", "NoInfer", "Optional", "Annotated", "ClassVar", "Final",
    }
)  # fmt: skip
# The same for types from outside only, because projects give these names to their own.
RUST_WRAPPERS = frozenset(
    {"Option", "Result", "Box", "Rc", "Arc", "Cow", "RefCell", "Mutex", "RwLock", "Cell", "Pin"}
)
# Wrappers that omit members: in an intersection, the other types redefine those members.
OMITTING = frozenset({"Omit", "Except"})
UNIONS = frozenset({"Union"})
# Functions of `Promise` that combine a list of promises.
PROMISE_COMBINATORS = frozenset({"all", "allSettled"})
PROMISES = frozenset({"Promise", "PromiseLike", "Awaitable", "Coroutine", "Task", "ValueTask"})
# Types whose last argument is the type of their elements or values.
HOLDERS = frozenset(
    {
        "Array", "ReadonlyArray", "Set", "ReadonlySet", "Map", "ReadonlyMap", "Record", "Iterable",
        "AsyncIterable", "Iterator", "Generator", "AsyncGenerator", "IterableIterator", "WeakMap",
        "list", "List", "dict", "Dict", "set", "frozenset", "tuple", "Tuple", "Sequence", "Mapping",
        "MutableMapping", "Collection", "defaultdict", "OrderedDict", "deque",
        "Vec", "VecDeque", "BTreeMap", "BTreeSet", "SmallVec",
        "IEnumerable", "IEnumerator", "IAsyncEnumerable", "IOrderedEnumerable", "IQueryable",
        "ICollection", "IList", "IReadOnlyList", "IReadOnlyCollection", "ISet", "IDictionary",
        "IReadOnlyDictionary", "Dictionary", "SortedDictionary", "ConcurrentDictionary", "HashSet",
        "Queue", "Stack", "LinkedList", "KeyedCollection", "ReadOnlyCollection",
        "ObservableCollection", "ConcurrentQueue", "ConcurrentStack", "ConcurrentBag", "Span",
        "ReadOnlySpan", "MutableList", "MutableSet", "MutableMap", "MutableCollection",
        "ArrayDeque", "Deque", "ArrayList", "LinkedHashMap", "LinkedHashSet", "Flow",
    }
)  # fmt: skip
# Methods of holders: RETURNING_ELEMENT return an element, RETURNING_SAME a holder of the same
# elements, and PASSING_ELEMENT pass an element to a callback.
RETURNING_ELEMENT = frozenset(
    {
        "find", "findLast", "pop", "popleft", "shift", "at", "get", "get_mut", "first", "last",
        "next", "last_mut", "first_mut", "peek", "remove", "pop_front", "pop_back", "nth",
        "setdefault", "First", "FirstOrDefault", "Last", "LastOrDefault", "Single",
        "SingleOrDefault", "ElementAt", "Dequeue", "Pop", "Peek", "firstOrNull", "lastOrNull",
        "single", "singleOrNull", "getOrNull", "elementAt", "removeFirst", "removeLast", "poll",
    }
)  # fmt: skip
RETURNING_SAME = frozenset(
    {
        "filter", "slice", "concat", "sort", "toSorted", "reverse", "toReversed", "flat", "copy",
        "Where", "OrderBy", "OrderByDescending", "ThenBy", "Distinct", "Concat", "Reverse", "Skip",
        "Take", "TakeWhile", "SkipWhile", "Union", "Except", "Intersect", "ToList", "ToArray",
        "AsEnumerable", "filterNot", "sortedBy", "sorted", "distinct", "take", "drop", "toList",
        "toMutableList", "toSet", "toTypedArray", "asSequence", "reversed", "onEach", "takeWhile",
        "dropWhile", "distinctBy", "plus", "minus", "dropLast", "takeLast", "orEmpty",
    }
)  # fmt: skip
# Methods of wrapped or borrowed values (Rust), which are taken to return their receiver.
RETURNING_RECEIVER = frozenset(
    {
        "unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default", "ok", "ok_or",
        "ok_or_else", "as_ref", "as_mut", "as_deref", "clone", "cloned", "copied", "to_owned",
        "borrow", "borrow_mut", "lock", "take", "iter", "iter_mut", "into_iter", "by_ref", "rev",
        "peekable", "skip", "map_err", "context", "with_context", "to_vec", "as_slice",
    }
)  # fmt: skip
RETURNING_PAIRS = frozenset({"entries", "items"})
PASSING_ELEMENT = frozenset(
    {
        "map", "forEach", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap",
        "sort", "toSorted", "Where", "Select", "SelectMany", "Any", "All", "First",
        "FirstOrDefault", "Last", "LastOrDefault", "Single", "SingleOrDefault", "OrderBy",
        "OrderByDescending", "ThenBy", "GroupBy", "ToDictionary", "Sum", "Max", "Min", "Count",
        "any", "all", "none", "count", "first", "firstOrNull", "last", "lastOrNull", "single",
        "singleOrNull", "mapNotNull", "filterNot", "sortedBy", "sortedWith", "groupBy",
        "associateBy", "associateWith", "associate", "partition", "maxByOrNull", "minByOrNull",
        "sumOf", "onEach",
        "takeWhile", "dropWhile", "distinctBy", "indexOfFirst", "removeIf", "joinToString",
        "ForEach", "TakeWhile", "SkipWhile", "Find", "FindAll", "Exists", "RemoveAll",
    }
)  # fmt: skip
# Methods that return a list of the callback's results.
RETURNING_RESULTS = frozenset({"Select", "map", "mapNotNull", "mapIndexed"})
# Methods that return a list of the same elements.
RETURNING_LIST = frozenset({"toList", "toMutableList", "ToList"})
# Kotlin's scope functions: SCOPE_WITH_RECEIVER run a lambda with the value as its receiver,
# SCOPE_WITH_ARGUMENT with the value as its argument. SCOPE_RETURNING_VALUE return the value, and
# the others the lambda's result.
SCOPE_WITH_RECEIVER = frozenset({"apply", "run"})
SCOPE_WITH_ARGUMENT = frozenset({"let", "also", "takeIf", "takeUnless", "use", "runCatching"})
SCOPE_RETURNING_VALUE = frozenset({"apply", "also", "takeIf", "takeUnless"})
# Library types of functions; the last type argument is the result of those that have one.
FUNCTIONS_WITH_RESULT = frozenset({FUNC, "Converter", CALLED_ON})
FUNCTION_TYPES = FUNCTIONS_WITH_RESULT | {"Action", "Predicate", "Comparison", "EventHandler"}
KNOWN = WRAPPERS | UNIONS | PROMISES | HOLDERS
# React: the base classes of components, the places of their type arguments, and the types of
# function components.
COMPONENTS = frozenset({"Component", "PureComponent"})
COMPONENT_PARTS = {"props": 0, "state": 1}
FUNCTION_COMPONENTS = frozenset({"FC", "FunctionComponent", "ComponentType", "VFC"})
PAIRED = frozenset({"Map", "ReadonlyMap"})  # holders that are iterated by key and value
# Mappings that are iterated by their keys.
KEYED = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"})
_LITERALS = frozenset({TUPLE, MAPPING})
# Global objects of a browser, with the interface that a project may extend.
WINDOW = "Window"
GLOBAL_OBJECTS = {
    "window": WINDOW, "globalThis": WINDOW, "self": WINDOW, "document": "Document",
    "navigator": "Navigator", "location": "Location", "console": "Console",
}  # fmt: skip
ANY_NAMED = frozenset({"Record"})  # holders whose elements are members, whatever their names
# Java converts a value if nothing fits exactly: to a wider primitive, else to an object. These
# types are known completely; the base types of other library types are unknown.
WIDENED = {
    "int": frozenset({"long", "float", "double", "decimal"}),
    "char": frozenset({"int", "long", "float", "double"}),
    "long": frozenset({"float", "double"}),
    "float": frozenset({"double"}),
}
BOXED = {
    "int": frozenset({"Integer", "Number"}),
    "long": frozenset({"Long", "Number"}),
    "float": frozenset({"Float", "Number"}),
    "double": frozenset({"Double", "Number"}),
    "char": frozenset({"Character"}),
    "boolean": frozenset({"Boolean"}),
    "decimal": frozenset(),
}
PRIMITIVES = frozenset({"int", "long", "float", "double", "char", "boolean", "short", "byte"})
# Value types of C#, which are null only if they are declared nullable.
VALUES = PRIMITIVES | {
    "decimal", "uint", "ulong", "ushort", "sbyte", "DateTime", "DateTimeOffset", "TimeSpan", "Guid",
}  # fmt: skip
# The number of parameters of Java's functional interfaces.
FUNCTIONAL_ARITY = {
    "Runnable": 0, "Callable": 0, "Supplier": 0, "BooleanSupplier": 0, "IntSupplier": 0,
    "LongSupplier": 0, "DoubleSupplier": 0, "Function": 1, "Consumer": 1, "Predicate": 1,
    "UnaryOperator": 1, "IntFunction": 1, "ToIntFunction": 1, "ToLongFunction": 1, "IntConsumer": 1,
    "IntPredicate": 1, "IntUnaryOperator": 1, "ToDoubleFunction": 1, "BiFunction": 2,
    "BiConsumer": 2, "BiPredicate": 2, "BinaryOperator": 2, "Comparator": 2, "IntBinaryOperator": 2,
}  # fmt: skip
# The types of constants such as `Integer.MAX_VALUE`.
UNBOXED = {
    "Integer": "int", "Long": "long", "Float": "float", "Double": "double", "Character": "char",
    "Math": "double", "Short": "short", "Byte": "byte",
}  # fmt: skip
_LISTED = frozenset({"Collection", "Iterable", "IEnumerable", "IList", "ICollection"})
_MEMBER_INFO = frozenset({"MemberInfo"})
_NUMBER = frozenset({"Number"})
_READER, _WRITER = frozenset({"Reader"}), frozenset({"Writer", "Appendable"})
# The base types of the most frequent argument types.
EXTENDED = {
    "String": frozenset({"CharSequence"}),
    "string": frozenset({"IEnumerable"}),
    "StringBuilder": frozenset({"CharSequence", "Appendable"}),
    "Class": frozenset({"Type"}), "KClass": frozenset({"KClassifier"}),
    "Int": _NUMBER, "Char": frozenset(),
    "Integer": _NUMBER, "Long": _NUMBER, "Float": _NUMBER, "Double": _NUMBER,
    "BigDecimal": _NUMBER, "BigInteger": _NUMBER, "Boolean": frozenset(), "Character": frozenset(),
    "List": _LISTED, "Set": _LISTED, "Collection": frozenset({"Iterable"}),
    "ArrayList": _LISTED | {"List"}, "HashSet": _LISTED | {"Set"},
    "HashMap": frozenset({"Map"}), "LinkedHashMap": frozenset({"Map"}),
    "StringReader": _READER, "InputStreamReader": _READER, "FileReader": _READER,
    "BufferedReader": _READER, "Reader": frozenset(),
    "StringWriter": _WRITER, "PrintWriter": _WRITER, "FileWriter": _WRITER,
    "Writer": frozenset({"Appendable"}), "File": frozenset(), "Path": frozenset(),
    "FileInputStream": frozenset({"InputStream"}), "InputStream": frozenset(),
    "ByteArrayInputStream": frozenset({"InputStream"}),
    "PrintStream": frozenset({"OutputStream", "Appendable"}), "Charset": frozenset(),
    "Type": _MEMBER_INFO, "PropertyInfo": _MEMBER_INFO, "FieldInfo": _MEMBER_INFO,
    "MethodInfo": _MEMBER_INFO | {"MethodBase"}, "ConstructorInfo": _MEMBER_INFO | {"MethodBase"},
}  # fmt: skip
# Built-ins of Python: LIST_BUILTINS return a list of the argument's elements, ELEMENT_BUILTINS one
# of them.
LIST_BUILTINS = frozenset({"list", "sorted", "tuple", "set", "frozenset", "reversed", "iter"})
ELEMENT_BUILTINS = frozenset({"next", "max", "min"})
# If `with` enters a generator, or a type that stands for one, it binds the first yielded value.
YIELDING = frozenset(
    {
        "Iterator", "Generator", "AsyncIterator", "AsyncGenerator", "Iterable", "AsyncIterable",
        "ContextManager", "AsyncContextManager", "AbstractContextManager",
        "AbstractAsyncContextManager",
    }
)  # fmt: skip
# Methods of every object, with the type that they return.
RETURNING_LIBRARY_TYPE = {"getClass": "Class", "toString": "String", "ToString": "string"}
# Factory methods that return an instance of their class: `Integer.valueOf(1)`, `Path.of("a")`.
FACTORY_METHODS = frozenset({"valueOf", "of"})


# The base type of every value, and the types that can be iterated, by their names in several
# languages.
ANY_TYPE = frozenset({"Object", "Any"})
ITERABLES = frozenset(
    {"IEnumerable", "ICollection", "IReadOnlyCollection", "Iterable", "Collection", "Sequence"}
)

# Members of library types that projects also define as extensions, for versions that lack them.
OWN_MEMBERS = {
    "string": frozenset(
        {
            "Contains", "StartsWith", "EndsWith", "IndexOf", "LastIndexOf", "Replace", "Split",
            "Substring", "Trim", "ToLower", "ToUpper", "Insert", "Remove", "PadLeft", "PadRight",
        }
    ),
    "Type": frozenset(
        {
            "IsAssignableFrom", "IsSubclassOf", "IsInstanceOfType", "GetMethod", "GetMethods",
            "GetProperty", "GetProperties", "GetField", "GetFields", "GetMember", "GetMembers",
            "GetConstructor", "GetConstructors", "GetInterface", "GetInterfaces", "GetTypeInfo",
            "GetGenericArguments", "GetGenericTypeDefinition", "GetCustomAttributes", "GetEvent",
        }
    ),
}  # fmt: skip
# Members of everything that can be iterated, from LINQ in C#.
LINQ_MEMBERS = frozenset(
    {
        "Aggregate", "All", "Any", "Append", "Average", "Cast", "Concat", "Contains", "Count",
        "Distinct", "ElementAt", "Except", "First", "FirstOrDefault", "GroupBy", "Intersect",
        "Last", "LastOrDefault", "Max", "Min", "OfType", "OrderBy", "OrderByDescending", "Prepend",
        "Reverse", "Select", "SelectMany", "SequenceEqual", "Single", "SingleOrDefault", "Skip",
        "SkipWhile", "Sum", "Take", "TakeWhile", "ThenBy", "ToArray", "ToDictionary", "ToList",
        "ToLookup", "ToHashSet", "Union", "Where", "Zip",
    }
)  # fmt: skip


def holds(holder: Type) -> bool:
    return holder.form is Form.OUTSIDE and (holder.path in HOLDERS or holder.path in _LITERALS)


def promises(one: Type) -> bool:
    return one.form is Form.OUTSIDE and one.path in PROMISES


def last_of(holder: Type) -> Types:
    return holder.bindings[-1][1] if holder.bindings else ()


def outside(name: str, arguments: Sequence[Types]) -> Type:
    bound = tuple((DefinitionKey(name, number), each) for number, each in enumerate(arguments))
    return Type(Form.OUTSIDE, name, 0, bound)


def element_of(holder: Type, place: str = "") -> Types:
    """The types of an element of a holder; for a tuple, of the one at `place` if it is known."""
    if not holds(holder):
        return ()
    if place == EACH and holder.path in PAIRED and len(holder.bindings) > 1:
        return (outside(TUPLE, [each for _, each in holder.bindings]),)
    if place == EACH and (holder.path in KEYED or holder.path == MAPPING):
        typed = holder.path in KEYED and len(holder.bindings) > 1
        return holder.bindings[0][1] if typed else ()
    if holder.path not in _LITERALS:
        return last_of(holder)
    if place.isdigit() and holder.path == TUPLE:
        return holder.bindings[int(place)][1] if int(place) < len(holder.bindings) else ()
    return tuple(one for _, each in holder.bindings for one in each)


def entries_of(holder: Type) -> Type:
    """The type of `entries()`: a list of pairs of a key and an element."""
    paired = holder.path in PAIRED | KEYED and len(holder.bindings) > 1
    keys = holder.bindings[0][1] if paired else ()
    return outside("Array", [(outside(TUPLE, [keys, element_of(holder)]),)])


def dotted(shape: Shape) -> str:
    """A chain of names as it is written, or an empty string if the shape is not just that."""
    if shape.op is ShapeOp.INSTANCE:
        shape = shape.parts[0]
    if shape.op in {ShapeOp.NAME, ShapeOp.TYPE}:
        return shape.text
    before = dotted(shape.parts[0]) if shape.op is ShapeOp.MEMBER else ""
    return f"{before}.{shape.text}" if before else ""


def omits(shape: Shape) -> bool:
    """Whether a type omits members of another one."""
    if shape.op is not ShapeOp.GENERIC:
        return False
    return shape.parts[0].text in OMITTING or any(map(omits, shape.parts[1:]))


def _nullable(one: Type) -> Type:
    """Mark a value type as nullable, because overloads differ by it."""
    simple = one.form is Form.OUTSIDE and one.path in VALUES
    return one._replace(path=f"{one.path}{NULLABLE}") if simple else one


def instances_outside(name: str, arguments: Sequence[Types]) -> Iterable[Type]:
    """The types that a library type stands for: itself, or the types that it wraps."""
    if name == NULLABLE:
        return [_nullable(each) for each in arguments[0]]
    if name in WRAPPERS or name in RUST_WRAPPERS:
        return arguments[0] if arguments else ()
    if name in UNIONS:
        return (one for each in arguments for one in each)
    return [outside(name, arguments)]
