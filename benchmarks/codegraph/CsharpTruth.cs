// What Roslyn says of every name in a C# project, in the lines that typescript.mjs writes.
// Usage: CsharpTruth <folder of reference assemblies> <symbols, or -> <project> <folder of sources ...>
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

public static class CsharpTruth
{
    // A namespace for the whole file is younger than this compiler: braces say the same, and move nothing.
    private static readonly Regex FileScoped = new Regex(@"^(\s*namespace\s+[\w.]+\s*);", RegexOptions.Multiline);

    private static string project;

    public static void Main(string[] arguments)
    {
        project = Path.GetFullPath(arguments[2]);
        var symbols = arguments[1] == "-" ? new string[0] : arguments[1].Split(',');
        var options = new CSharpParseOptions(LanguageVersion.Preview, DocumentationMode.None, preprocessorSymbols: symbols);
        var trees = arguments.Skip(3)
            .SelectMany(folder => Directory.GetFiles(Path.Combine(project, folder), "*.cs", SearchOption.AllDirectories))
            .Where(path => !path.Contains("/obj/") && !path.Contains("/bin/")).OrderBy(path => path, StringComparer.Ordinal).Distinct()
            .Select(path => CSharpSyntaxTree.ParseText(Braced(File.ReadAllText(path)), options, path)).ToList();
        var references = Directory.GetFiles(arguments[0], "*.dll").Select(path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create("it", trees, references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
        foreach (var tree in trees)
        {
            Console.WriteLine(JsonSerializer.Serialize(new object[] { Relative(tree.FilePath) }));
            var model = compilation.GetSemanticModel(tree);
            foreach (var name in tree.GetRoot().DescendantNodes().OfType<SimpleNameSyntax>())
            {
                Tell(name, model);
            }
        }
    }

    private static string Braced(string text)
    {
        var braced = FileScoped.Replace(text, found => found.Groups[1].Value + "{", 1);
        return braced == text ? text : braced + "}";
    }

    private static void Tell(SimpleNameSyntax name, SemanticModel model)
    {
        var symbol = Meant(name, model);
        if (symbol == null || name.IsVar || symbol is INamespaceSymbol || symbol is ILabelSymbol || symbol is IDiscardSymbol
            || symbol.Kind == SymbolKind.DynamicType || symbol is IErrorTypeSymbol || symbol.ContainingType?.IsAnonymousType == true
            || symbol.ContainingType?.IsTupleType == true)
        {
            return;
        }
        var places = symbol.Locations.Where(each => each.IsInSource).Select(Place).ToArray();
        var local = symbol is ILocalSymbol || symbol is IParameterSymbol || symbol is ITypeParameterSymbol || symbol is IRangeVariableSymbol;
        var at = Place(name.Identifier.GetLocation());
        Console.WriteLine(JsonSerializer.Serialize(new object[] { at[0], at[1], at[2], places.Length > 0 && !local, places }));
    }

    // An attribute's name means its class, and a call of an extension method the method as it is written.
    private static ISymbol Meant(SimpleNameSyntax name, SemanticModel model)
    {
        var symbol = model.GetSymbolInfo(name).Symbol;
        if (symbol is IMethodSymbol method)
        {
            symbol = method.MethodKind == MethodKind.Constructor ? method.ContainingType : (ISymbol)(method.ReducedFrom ?? method);
        }
        return symbol?.OriginalDefinition;
    }

    private static object[] Place(Location location)
    {
        var start = location.GetLineSpan().StartLinePosition;
        return new object[] { Relative(location.SourceTree.FilePath), start.Line, start.Character };
    }

    private static string Relative(string path) => Path.GetRelativePath(project, path).Replace('\\', '/');
}
