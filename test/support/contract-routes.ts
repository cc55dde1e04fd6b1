/** Finds the operation of a request in a contract, by its document alone. */
import { type Node, type OperationPlace, operationsOf } from '../contract/contract-document.js';

/** The operations of the path that matches a request, by upper-case method; none when the contract lacks the path. */
export type Route = ReadonlyMap<string, OperationPlace>;

/** @returns a function from a request target, which may be absolute, to the operations of its path */
export function compileRoutes(document: Node): (target: string) => Route {
  const templates = new Map<string, Map<string, OperationPlace>>();
  for (const place of operationsOf(document)) {
    const operations = templates.get(place.path) ?? new Map<string, OperationPlace>();
    templates.set(place.path, operations.set(place.method.toUpperCase(), place));
  }
  // Concrete paths are matched first (OpenAPI, "Path Templating Matching").
  const byConcreteness = [...templates].toSorted(([a], [b]) => parameterCount(a) - parameterCount(b));
  const routes = byConcreteness.map(([template, operations]) => ({
    patterns: patternsOf(template),
    operations,
  }));
  return (target) => {
    const [path = ''] = target.replace(/^https?:\/\/[^/]*/i, '').split('?');
    const segments = path.split('/');
    const found = routes.find(
      ({ patterns }) =>
        patterns.length === segments.length &&
        patterns.every((pattern, index) => pattern.test(decoded(segments[index] ?? ''))),
    );
    return found?.operations ?? new Map();
  };
}

function parameterCount(template: string): number {
  return template.split('{').length - 1;
}

/** One pattern per segment. */
function patternsOf(template: string): readonly RegExp[] {
  return template.split('/').map((segment) => {
    const texts = segment.split(/\{[^}]+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${texts.join('[^]+')}$`);
  });
}

/** Percent-encoding changes nothing (RFC 3986 §6.2.2.2), unless it is malformed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
