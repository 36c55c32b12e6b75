// What the TypeScript compiler says of every identifier in a project, one JSON line each:
// [path, line, column, counts, [[path, line, column], ...]] with lines and columns from 0.
// Each file is named by a line of its own first, because one that only passes on has no identifiers.
// Usage: node typescript.mjs <folder with typescript installed> <project> [tsconfig]
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const [tools, root, config = 'tsconfig.json'] = process.argv.slice(2);
const ts = createRequire(path.join(path.resolve(tools), 'x.js'))('typescript');
const project = fs.realpathSync(root);
const file = path.join(project, config);
const read = ts.readConfigFile(file, ts.sys.readFile);
const parsed = ts.parseJsonConfigFileContent(read.config ?? {}, ts.sys, path.dirname(file), undefined, file);
const program = ts.createProgram(parsed.fileNames, {...parsed.options, noEmit: true});
const checker = program.getTypeChecker();

const own = source => {
	const relative = path.relative(project, source.fileName);
	return !relative.startsWith('..') && !relative.includes('node_modules') ? relative : undefined;
};

const place = node => {
	const source = node.getSourceFile();
	const {line, character} = source.getLineAndCharacterOfPosition(node.getStart());
	return [own(source), line, character];
};

const meaning = symbol => {
	const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
	return real.declarations ?? [];
};

const inFunction = node => {
	for (let at = node.parent; at; at = at.parent) {
		if (ts.isFunctionLike(at)) {
			return true;
		}
	}
	return false;
};

const isLocal = declaration =>
	ts.isParameter(declaration) || ts.isTypeParameterDeclaration(declaration)
	|| ((ts.isVariableDeclaration(declaration) || ts.isBindingElement(declaration)) && inFunction(declaration));

const symbolAt = node => {
	if (ts.isShorthandPropertyAssignment(node.parent)) {
		return checker.getShorthandAssignmentValueSymbol(node.parent);
	}
	return checker.getSymbolAtLocation(node);
};

// The member that a key of a literal, an attribute of an element or a destructured name stands for.
const memberAt = node => {
	const holder = node.parent;
	if ((ts.isPropertyAssignment(holder) || ts.isMethodDeclaration(holder)) && holder.name === node
		&& ts.isObjectLiteralExpression(holder.parent)) {
		return checker.getContextualType(holder.parent)?.getProperty(node.text);
	}
	if (ts.isJsxAttribute(holder) && holder.name === node) {
		return checker.getContextualType(holder.parent)?.getProperty(node.text);
	}
	if (ts.isBindingElement(holder) && ts.isObjectBindingPattern(holder.parent) && !holder.dotDotDotToken
		&& (holder.propertyName ?? holder.name) === node) {
		return checker.getTypeAtLocation(holder.parent).getProperty(node.text);
	}
};

const tell = node => {
	const symbol = memberAt(node) ?? symbolAt(node);
	if (!symbol) {
		return;
	}
	const declarations = meaning(symbol);
	if (declarations.some(each => (each.name ?? each) === node) && !ts.isShorthandPropertyAssignment(node.parent)) {
		return;
	}
	const inside = declarations.filter(each => own(each.getSourceFile()));
	const counts = inside.length > 0 && !inside.some(isLocal);
	const places = inside.map(each => ts.isSourceFile(each) ? [own(each), 0, 0] : place(each.name ?? each));
	console.log(JSON.stringify([...place(node), counts, places]));
};

const visit = node => {
	if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
		tell(node);
	}
	ts.forEachChild(node, visit);
};

for (const source of program.getSourceFiles()) {
	if (own(source)) {
		console.log(JSON.stringify([own(source)]));
		visit(source);
	}
}
