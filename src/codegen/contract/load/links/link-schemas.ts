/**
 * Turns the references of schemas by URI and by anchor into JSON Pointers, before the documents of a contract are bundled: `$id`,
 * `$anchor`, `$dynamicAnchor` and the vocabularies of `$schema` are applied and removed.
 *
 * The target of a `$dynamicRef` depends on the schemas that lead to it. It keeps its keyword, and each schema where evaluation may enter a
 * resource with dynamic anchors lists them under an additional keyword, which the schema compiler reads.
 */
import type { NormalizedProblem } from '@redocly/openapi-core';
import { ANCHORS, ASSERTED_FORMAT, elements, isObject, type Fields } from '../../schemas/document.js';
import { percentDecoded } from '../../../text/pointer.js';
import { type DocumentReader, type Link, LinkTargets, isPlain } from './link-targets.js';
import type { Found, LinkedDocument, Location } from './schema-index.js';
import { foreignKeywords } from '../../schemas/dialect.js';

/**
 * Links, in place, the schemas of a contract and of every document that it refers to.
 *
 * @param file the contract; a contract of OpenAPI 3.0 is not changed, because its schemas have none of these keywords
 * @returns the references that lead to several schemas, and the dynamic references without a target; the linter reports the other
 *   references without a target
 */
export async function linkSchemas(
  file: string,
  reader: DocumentReader,
): Promise<readonly NormalizedProblem[]> {
  const root = await reader.read(file).catch(() => undefined);
  const contract = root?.value;
  if (root === undefined || !isObject(contract) || !/^3\.[12]\./.test(String(contract['openapi']))) return [];
  const targets = new LinkTargets(reader);
  await targets.follow(root);
  const problems = written(targets);
  if (targets.index.vocabularies(contract['jsonSchemaDialect']) !== undefined)
    removeKeywords(contract, ['jsonSchemaDialect']);
  return problems;
}

function written({ index, found, lost }: LinkTargets): readonly NormalizedProblem[] {
  const problems: NormalizedProblem[] = [];
  const report = ({ from, keyword, reference }: Link, reason: string): void => {
    const { source } = from.resource.document;
    const location = [{ source, pointer: from.at, reportOnKey: false }];
    const message = `${keyword} ${reference}: ${reason}`;
    problems.push({ ruleId: 'no-unresolved-refs', severity: 'error', message, location, suggest: [] });
  };
  for (const place of entriesOf(index.schemas, found)) addAnchors(place);
  for (const link of lost) {
    if (link.keyword === '$dynamicRef') report(link, 'the reference has no target');
    else if (!isPlain(link)) redirect(link);
  }
  for (const [link, target] of found) {
    if (index.repeated.has(String(link.uri))) report(link, 'several schemas have this $id');
    else if (target.resource.repeated.has(nameOf(link) ?? ''))
      report(link, 'several schemas have this anchor');
    write(link, target);
  }
  for (const { schema, resource } of index.schemas) {
    removeKeywords(schema, foreignKeywords(schema, resource.vocabularies));
    if ('format' in schema && resource.vocabularies.has('format-assertion'))
      Object.assign(schema, { [ASSERTED_FORMAT]: true });
    if (index.vocabularies(schema['$schema']) !== undefined) removeKeywords(schema, ['$schema']);
    removeKeywords(
      schema,
      IDENTIFIERS.filter((keyword) => typeof schema[keyword] === 'string'),
    );
  }
  return problems;
}

const IDENTIFIERS = ['$id', '$anchor', '$dynamicAnchor'];

function removeKeywords(schema: Fields, keywords: readonly string[]): void {
  for (const keyword of keywords) Reflect.deleteProperty(schema, keyword);
}

/** The schemas where the evaluation of a value may enter a resource. */
function entriesOf(schemas: readonly Found[], found: ReadonlyMap<Link, Location>): readonly Location[] {
  const crossed = [...found].filter(
    ([{ from }, { resource }]) => resource.dynamicAnchors !== from.resource.dynamicAnchors,
  );
  return [...schemas.filter(({ isEntry }) => isEntry), ...crossed.map(([, target]) => target)];
}

function addAnchors({ schema, resource: { dynamicAnchors, document } }: Location): void {
  if (!isObject(schema) || dynamicAnchors.size === 0) return;
  const anchors = [...dynamicAnchors].map(([name, target]) => [name, { $ref: pointerTo(target, document) }]);
  Object.assign(schema, { [ANCHORS]: Object.fromEntries(anchors) as Fields });
}

/** Writes a reference with its target. */
function write(link: Link, target: Location): void {
  const { keyword, reference, uri } = link;
  const { schema, resource } = link.from;
  const name = nameOf(link);
  const pointer = pointerTo(target, resource.document);
  if (keyword === '$ref') {
    // The linter and its messages get the contract's reference if it resolves without the index.
    const isUsable = isPlain(link) && name === undefined && uri === target.resource.document.uri;
    Object.assign(schema, { $ref: isUsable ? reference : pointer });
  } else if (name !== undefined && target.resource.dynamicAnchors.get(name)?.schema === target.schema) {
    // If the scope lacks the name, a dynamic reference has the target of an ordinary one (Core §8.2.3.2).
    const anchors = { [name]: { $ref: pointer }, ...(schema[ANCHORS] as object | undefined) };
    Object.assign(schema, { $dynamicRef: `#${name}`, [ANCHORS]: anchors });
  } else {
    removeKeywords(schema, [keyword]);
    const beside = { allOf: [...elements(schema['allOf']), { $ref: pointer }] };
    Object.assign(schema, typeof schema['$ref'] === 'string' ? beside : { $ref: pointer });
  }
}

/** Rewrites a reference without a target so that the linter, which ignores `$id`, finds no target either. */
function redirect({ from: { schema, resource }, uri, fragment }: Link): void {
  if (uri === undefined) return;
  const target = `${uri}#${fragment}`;
  Object.assign(schema, { $ref: uri === resource.uri ? `#/${encodeURIComponent(target)}` : target });
}

/** The anchor that a reference names. */
function nameOf({ fragment }: Link): string | undefined {
  return fragment === '' || fragment.startsWith('/') ? undefined : percentDecoded(fragment);
}

function pointerTo({ at, resource }: Location, from: LinkedDocument): string {
  const fragment = at.slice(1).replaceAll('%', '%25').replaceAll('#', '%23');
  return resource.document === from ? `#${fragment}` : `${resource.document.uri}#${fragment}`;
}
