// What javac says of every name in a Java project, in the lines that typescript.mjs writes.
// Usage: java Truth.java <project> <folder of sources ...>; what needs a missing library is left out.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

public class Truth {
  private static final Set<ElementKind> LOCAL =
      EnumSet.of(ElementKind.PARAMETER, ElementKind.LOCAL_VARIABLE, ElementKind.EXCEPTION_PARAMETER,
          ElementKind.RESOURCE_VARIABLE, ElementKind.BINDING_VARIABLE, ElementKind.TYPE_PARAMETER);

  public static void main(String[] arguments) throws IOException {
    Path project = Path.of(arguments[0]).toRealPath();
    List<Path> files = new ArrayList<>();
    for (String folder : Arrays.copyOfRange(arguments, 1, arguments.length)) {
      try (Stream<Path> found = Files.walk(project.resolve(folder))) {
        found.filter(each -> each.toString().endsWith(".java")).forEach(files::add);
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(problem -> {}, null, null);
    JavacTask task = (JavacTask) compiler.getTask(null, manager, problem -> {},
        List.of("-proc:none", "-XDshould-stop.ifError=FLOW"), null, manager.getJavaFileObjectsFromPaths(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    for (CompilationUnitTree unit : units) {
      new Teller(project, Trees.instance(task), unit).scan(unit, null);
    }
  }

  private static class Teller extends TreePathScanner<Void, Void> {
    private final Path project;
    private final Trees trees;
    private final CompilationUnitTree unit;

    Teller(Path project, Trees trees, CompilationUnitTree unit) {
      this.project = project;
      this.trees = trees;
      this.unit = unit;
    }

    @Override public Void visitIdentifier(IdentifierTree tree, Void nothing) {
      String name = tree.getName().toString();
      if (!name.equals("this") && !name.equals("super")) {
        tell(start(unit, tree), tree.getName());
      }
      return super.visitIdentifier(tree, nothing);
    }

    @Override public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
      tell(end(unit, tree) - tree.getIdentifier().length(), tree.getIdentifier());
      return super.visitMemberSelect(tree, nothing);
    }

    @Override public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
      if (tree.getMode() == MemberReferenceTree.ReferenceMode.INVOKE) {
        tell(end(unit, tree) - tree.getName().length(), tree.getName());
      }
      return super.visitMemberReference(tree, nothing);
    }

    private void tell(long offset, Name named) {
      // What the compiler adds by itself stands nowhere: `value` of an annotation, the class of a constant.
      String name = named.contentEquals("<init>") ? "new" : named.toString();
      Element element = trees.getElement(getCurrentPath());
      if (element == null || offset < 0 || !text(unit).startsWith(name, (int) offset)) {
        return;
      }
      TreePath defined = trees.getPath(element);
      String place = defined == null ? null : place(defined);
      boolean counts = place != null && !LOCAL.contains(element.getKind());
      System.out.println("[" + at(unit, offset) + "," + counts + ",[" + (place == null ? "" : "[" + place + "]") + "]]");
    }

    private String place(TreePath path) {
      CompilationUnitTree where = path.getCompilationUnit();
      Tree tree = path.getLeaf();
      long from = start(where, tree);
      String name;
      if (tree instanceof ClassTree type) {
        name = type.getSimpleName().toString();
        from = Math.max(from, end(where, type.getModifiers()));
      } else if (tree instanceof MethodTree method) {
        boolean constructor = method.getName().contentEquals("<init>");
        name = constructor ? ((ClassTree) path.getParentPath().getLeaf()).getSimpleName().toString() : method.getName().toString();
        from = Math.max(from, end(where, constructor ? method.getModifiers() : method.getReturnType()));
      } else if (tree instanceof VariableTree variable) {
        name = variable.getName().toString();
        from = variable.getType() == null ? from : Math.max(from, end(where, variable.getType()));
      } else {
        return null;
      }
      Matcher found = Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(text(where));
      return found.find((int) Math.max(from, 0)) ? at(where, found.start()) : null;
    }

    private String at(CompilationUnitTree where, long offset) {
      LineMap lines = where.getLineMap();
      long line = lines.getLineNumber(offset);
      long column = offset - lines.getStartPosition(line);
      Path path = project.relativize(Path.of(where.getSourceFile().toUri()));
      return "\"" + path + "\"," + (line - 1) + "," + column;
    }

    private String text(CompilationUnitTree where) {
      try {
        return where.getSourceFile().getCharContent(true).toString();
      } catch (IOException problem) {
        throw new IllegalStateException(problem);
      }
    }

    private long start(CompilationUnitTree where, Tree tree) {
      return trees.getSourcePositions().getStartPosition(where, tree);
    }

    private long end(CompilationUnitTree where, Tree tree) {
      return tree == null ? -1 : trees.getSourcePositions().getEndPosition(where, tree);
    }
  }
}
