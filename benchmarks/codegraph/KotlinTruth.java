// What the Kotlin compiler says of every name in a project, in the lines that typescript.mjs writes.
// Usage: java -cp kotlin-compiler.jar:kotlin-stdlib.jar KotlinTruth.java <libraries or -> <project> <folder of sources ...>
import java.io.File;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import org.jetbrains.kotlin.analyzer.AnalysisResult;
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys;
import org.jetbrains.kotlin.cli.common.config.ContentRootsKt;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.*;
import org.jetbrains.kotlin.cli.jvm.config.JvmContentRootsKt;
import com.intellij.openapi.util.Disposer;
import com.intellij.psi.*;
import org.jetbrains.kotlin.config.*;
import org.jetbrains.kotlin.descriptors.*;
import org.jetbrains.kotlin.psi.*;
import org.jetbrains.kotlin.resolve.*;
import org.jetbrains.kotlin.synthetic.SyntheticJavaPropertyDescriptor;
import org.jetbrains.kotlin.types.error.ErrorUtils;

public class KotlinTruth {
  private static BindingContext known;
  private static Path project;

  public static void main(String[] arguments) throws Exception {
    System.setProperty("idea.use.native.fs.for.win", "false");
    project = Path.of(arguments[1]).toRealPath();
    CompilerConfiguration configuration = new CompilerConfiguration();
    configuration.put(CommonConfigurationKeys.MODULE_NAME, "it");
    configuration.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
    configuration.put(CommonConfigurationKeys.LANGUAGE_VERSION_SETTINGS,
        new LanguageVersionSettingsImpl(LanguageVersion.KOTLIN_1_9, ApiVersion.LATEST_STABLE));
    configuration.put(JVMConfigurationKeys.JDK_HOME, new File(System.getProperty("java.home")));
    List<File> libraries = Stream.of(System.getProperty("java.class.path"), arguments[0])
        .flatMap(each -> Stream.of(each.split(File.pathSeparator))).filter(each -> each.endsWith(".jar")).map(File::new).toList();
    JvmContentRootsKt.addJvmClasspathRoots(configuration, libraries);
    JvmContentRootsKt.configureJdkClasspathRoots(configuration);
    for (String folder : Arrays.copyOfRange(arguments, 2, arguments.length)) {
      ContentRootsKt.addKotlinSourceRoot(configuration, project.resolve(folder).toString());
      JvmContentRootsKt.addJavaSourceRoot(configuration, project.resolve(folder).toFile(), null);
    }
    KotlinCoreEnvironment environment = KotlinCoreEnvironment.createForProduction(
        Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES);
    AnalysisResult result = KotlinToJVMBytecodeCompiler.INSTANCE.analyze(environment);
    known = result.getBindingContext();
    for (KtFile file : environment.getSourceFiles()) {
      System.out.println("[" + quoted(file) + "]");
      file.accept(new Teller());
    }
    System.exit(0);
  }

  private static class Teller extends KtTreeVisitorVoid {
    @Override public void visitReferenceExpression(KtReferenceExpression expression) {
      super.visitReferenceExpression(expression);
      if (expression instanceof KtNameReferenceExpression name && !(name.getParent() instanceof KtInstanceExpressionWithLabel)) {
        tell(name);
      }
    }

    private void tell(KtNameReferenceExpression name) {
      List<DeclarationDescriptor> meant = meant(name);
      if (meant.isEmpty()) {
        return;
      }
      List<String> places = meant.stream().flatMap(each -> places(each, name.getReferencedName())).distinct().toList();
      boolean counts = !places.isEmpty() && meant.stream().noneMatch(KotlinTruth::isLocal);
      System.out.println("[" + at(name.getReferencedNameElement()) + "," + counts + ",["
          + places.stream().map(each -> "[" + each + "]").collect(Collectors.joining(",")) + "]]");
    }
  }

  // Nothing where the compiler does not know, or where a package is meant or what is written nowhere.
  private static List<DeclarationDescriptor> meant(KtNameReferenceExpression name) {
    DeclarationDescriptor one = known.get(BindingContext.REFERENCE_TARGET, name);
    Collection<? extends DeclarationDescriptor> several = known.get(BindingContext.AMBIGUOUS_REFERENCE_TARGET, name);
    boolean imported = isImported(name);
    Stream<DeclarationDescriptor> all = Stream.concat(Stream.ofNullable(one),
        imported && several != null ? several.stream() : Stream.empty());
    return all.filter(each -> !ErrorUtils.isError(each) && !(each instanceof PackageViewDescriptor)
        && !(each instanceof PackageFragmentDescriptor) && !isMadeUp(each)).map(DeclarationDescriptor::getOriginal).toList();
  }

  private static boolean isMadeUp(DeclarationDescriptor each) {
    return each instanceof CallableMemberDescriptor made && made.getKind() == CallableMemberDescriptor.Kind.SYNTHESIZED
        && !(each instanceof SyntheticJavaPropertyDescriptor);
  }

  private static boolean isLocal(DeclarationDescriptor each) {
    return each instanceof ValueParameterDescriptor || each instanceof TypeParameterDescriptor
        || (each instanceof VariableDescriptor && !(each instanceof PropertyDescriptor));
  }

  // A call of a constructor means its class, and what a companion is named by the class around it.
  private static Stream<String> places(DeclarationDescriptor meant, String name) {
    DeclarationDescriptor itself = meant;
    if (itself instanceof SyntheticJavaPropertyDescriptor property) {
      itself = property.getGetMethod();
    }
    if (itself instanceof ConstructorDescriptor made) {
      itself = made.getContainingDeclaration();
    }
    if (DescriptorUtils.isCompanionObject(itself) && !itself.getName().asString().equals(name)) {
      itself = itself.getContainingDeclaration();
    }
    return DescriptorToSourceUtils.getEffectiveReferencedDescriptors(itself).stream()
        .map(DescriptorToSourceUtils::getSourceFromDescriptor).filter(Objects::nonNull)
        .map(each -> each instanceof PsiNameIdentifierOwner owner && owner.getNameIdentifier() != null ? owner.getNameIdentifier() : each)
        .map(KotlinTruth::at);
  }

  private static String at(PsiElement element) {
    String text = element.getContainingFile().getText();
    boolean unnamed = element instanceof KtObjectDeclaration companion && companion.getNameIdentifier() == null;
    int offset = unnamed ? element.getTextRange().getStartOffset() : element.getTextOffset();
    int start = text.lastIndexOf('\n', offset - 1) + 1;
    long line = text.substring(0, start).chars().filter(each -> each == '\n').count();
    return quoted(element.getContainingFile()) + "," + line + "," + (offset - start);
  }

  private static String quoted(PsiFile file) {
    return "\"" + project.relativize(Path.of(file.getVirtualFile().getPath())) + "\"";
  }

  private static boolean isImported(PsiElement element) {
    PsiElement around = element;
    while (around != null && !(around instanceof KtImportDirective)) {
      around = around.getParent();
    }
    return around != null;
  }
}
