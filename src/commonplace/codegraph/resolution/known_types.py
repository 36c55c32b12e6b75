"""What is known of types that no project defines: containers, promises, wrappers."""

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
LENT = frozenset(
    {"Option", "Result", "Box", "Rc", "Arc", "Cow", "RefCell", "Mutex", "RwLock", "Cell", "Pin"}
)
# Wrappers that leave members out: what stands beside them has those members anew.
OMITTING = frozenset({"Omit", "Except"})
UNIONS = frozenset({"Union"})
# Functions of `Promise` that give what all of a list promise.
TOGETHER = frozenset({"all", "allSettled"})
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
# Methods of holders: those that give an element, those that give the like of what they are
# called on, and those that hand an element to the function they are given.
GIVING_ELEMENT = frozenset(
    {
        "find", "findLast", "pop", "popleft", "shift", "at", "get", "get_mut", "first", "last",
        "next", "last_mut", "first_mut", "peek", "remove", "pop_front", "pop_back", "nth",
        "setdefault", "First", "FirstOrDefault", "Last", "LastOrDefault", "Single",
        "SingleOrDefault", "ElementAt", "Dequeue", "Pop", "Peek", "firstOrNull", "lastOrNull",
        "single", "singleOrNull", "getOrNull", "elementAt", "removeFirst", "removeLast", "poll",
    }
)  # fmt: skip
GIVING_SAME = frozenset(
    {
        "filter", "slice", "concat", "sort", "toSorted", "reverse", "toReversed", "flat", "copy",
        "Where", "OrderBy", "OrderByDescending", "ThenBy", "Distinct", "Concat", "Reverse", "Skip",
        "Take", "TakeWhile", "SkipWhile", "Union", "Except", "Intersect", "ToList", "ToArray",
        "AsEnumerable", "filterNot", "sortedBy", "sorted", "distinct", "take", "drop", "toList",
        "toMutableList", "toSet", "toTypedArray", "asSequence", "reversed", "onEach", "takeWhile",
        "dropWhile", "distinctBy", "plus", "minus", "dropLast", "takeLast", "orEmpty",
    }
)  # fmt: skip
# Methods of values that are wrapped or lent: to us they give what they are called on.
GIVING_ITSELF = frozenset(
    {
        "unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default", "ok", "ok_or",
        "ok_or_else", "as_ref", "as_mut", "as_deref", "clone", "cloned", "copied", "to_owned",
        "borrow", "borrow_mut", "lock", "take", "iter", "iter_mut", "into_iter", "by_ref", "rev",
        "peekable", "skip", "map_err", "context", "with_context", "to_vec", "as_slice",
    }
)  # fmt: skip
GIVING_PAIRS = frozenset({"entries", "items"})
HANDING_ELEMENT = frozenset(
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
# Those that give a list of what the function gives for each.
GIVING_RESULTS = frozenset({"Select", "map", "mapNotNull", "mapIndexed"})
# Those that give a list of the same.
LISTING_ALL = frozenset({"toList", "toMutableList", "ToList"})
# Kotlin's functions for any value: those that run a function on it, those that hand it to one,
# and of both those that give the value again; others give what the function gives.
RUN_ON_IT = frozenset({"apply", "run"})
HANDED_ON = frozenset({"let", "also", "takeIf", "takeUnless", "use", "runCatching"})
GIVING_IT = frozenset({"apply", "also", "takeIf", "takeUnless"})
# Types of functions from outside: of their arguments the last is what they give, if they do.
FUNCTIONS_GIVING = frozenset({FUNC, "Converter", CALLED_ON})
FUNCTION_TYPES = FUNCTIONS_GIVING | {"Action", "Predicate", "Comparison", "EventHandler"}
KNOWN = WRAPPERS | UNIONS | PROMISES | HOLDERS
# React's: classes by what they extend, with the place of their type arguments; and functions.
COMPONENTS = frozenset({"Component", "PureComponent"})
COMPONENT_PARTS = {"props": 0, "state": 1}
FUNCTION_COMPONENTS = frozenset({"FC", "FunctionComponent", "ComponentType", "VFC"})
PAIRED = frozenset({"Map", "ReadonlyMap"})  # holders that are iterated by key and value
# Mappings that are iterated by their keys.
KEYED = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"})
_LITERALS = frozenset({TUPLE, MAPPING})
# Values of a browser, with the interface that a project may add to.
WINDOW = "Window"
GLOBAL_OBJECTS = {
    "window": WINDOW, "globalThis": WINDOW, "self": WINDOW, "document": "Document",
    "navigator": "Navigator", "location": "Location", "console": "Console",
}  # fmt: skip
NAMED_ANYHOW = frozenset({"Record"})  # holders whose elements are members, whatever their names
# What a value of Java is taken for where nothing fits exactly: a wider one, before an object. Of
# these types everything is known; of others from outside it is not known what they extend.
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
# Of C#: what is no object, and may be nothing only where that is said.
VALUES = PRIMITIVES | {
    "decimal", "uint", "ulong", "ushort", "sbyte", "DateTime", "DateTimeOffset", "TimeSpan", "Guid",
}  # fmt: skip
# How many arguments the functions of Java's own interfaces take.
TAKING = {
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
# What the types that are handed over most often extend.
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
# Functions of Python: those that give a list of what they are given holds, or one of its elements.
LISTING = frozenset({"list", "sorted", "tuple", "set", "frozenset", "reversed", "iter"})
PICKING = frozenset({"next", "max", "min"})
# Where `with` enters a generator, or what stands for one, it gives what that yields first.
YIELDING = frozenset(
    {
        "Iterator", "Generator", "AsyncIterator", "AsyncGenerator", "Iterable", "AsyncIterable",
        "ContextManager", "AsyncContextManager", "AbstractContextManager",
        "AbstractAsyncContextManager",
    }
)  # fmt: skip
# Methods of classes that give one of their own: `Integer.valueOf(1)`, `Path.of("a")`.
GIVING_OWN = frozenset({"valueOf", "of"})


# What every value is, and what is walked through, under the names of several languages.
ANY_TYPE = frozenset({"Object", "Any"})
ITERABLES = frozenset(
    {"IEnumerable", "ICollection", "IReadOnlyCollection", "Iterable", "Collection", "Sequence"}
)

# Members of types from outside that projects write again, for versions of them without.
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
# What everything that is walked through has, from C#'s own library.
WALKING = frozenset(
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
    return holder.given[-1][1] if holder.given else ()


def outside(name: str, arguments: Sequence[Types]) -> Type:
    bound = tuple((DefinitionKey(name, number), each) for number, each in enumerate(arguments))
    return Type(Form.OUTSIDE, name, 0, bound)


def element_of(holder: Type, place: str = "") -> Types:
    """One of the elements; of a tuple the one at the place, where that is known."""
    if not holds(holder):
        return ()
    if place == EACH and holder.path in PAIRED and len(holder.given) > 1:
        return (outside(TUPLE, [each for _, each in holder.given]),)
    if place == EACH and (holder.path in KEYED or holder.path == MAPPING):
        typed = holder.path in KEYED and len(holder.given) > 1
        return holder.given[0][1] if typed else ()
    if holder.path not in _LITERALS:
        return last_of(holder)
    if place.isdigit() and holder.path == TUPLE:
        return holder.given[int(place)][1] if int(place) < len(holder.given) else ()
    return tuple(one for _, each in holder.given for one in each)


def entries_of(holder: Type) -> Type:
    """What `entries` gives: pairs of a key and an element."""
    paired = holder.path in PAIRED | KEYED and len(holder.given) > 1
    keys = holder.given[0][1] if paired else ()
    return outside("Array", [(outside(TUPLE, [keys, element_of(holder)]),)])


def dotted(shape: Shape) -> str:
    """A chain of names as it is written; nothing where there is more in it."""
    if shape.op is ShapeOp.INSTANCE:
        shape = shape.parts[0]
    if shape.op in {ShapeOp.NAME, ShapeOp.TYPE}:
        return shape.text
    before = dotted(shape.parts[0]) if shape.op is ShapeOp.MEMBER else ""
    return f"{before}.{shape.text}" if before else ""


def omits(shape: Shape) -> bool:
    """Whether a type leaves members of another one out."""
    if shape.op is not ShapeOp.GENERIC:
        return False
    return shape.parts[0].text in OMITTING or any(map(omits, shape.parts[1:]))


def _nullable(one: Type) -> Type:
    """What overloads tell apart: a value of a simple type that may be nothing."""
    simple = one.form is Form.OUTSIDE and one.path in VALUES
    return one._replace(path=f"{one.path}{NULLABLE}") if simple else one


def instances_outside(name: str, arguments: Sequence[Types]) -> Iterable[Type]:
    """What a type from outside stands for: itself, or what it wraps."""
    if name == NULLABLE:
        return [_nullable(each) for each in arguments[0]]
    if name in WRAPPERS or name in LENT:
        return arguments[0] if arguments else ()
    if name in UNIONS:
        return (one for each in arguments for one in each)
    return [outside(name, arguments)]
