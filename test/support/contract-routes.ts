/** Finds what a request leads to in a contract, by its document alone. */
import { type Node, type OperationPlace, operationsOf } from '../contract/contract-document.js';

/** The operations of the path that a request's path fits, by upper-case method; none when the contract lacks it. */
export type Route = ReadonlyMap<string, OperationPlace>;

/** @returns from a path without its query to its operations */
export function compileRoutes(document: Node): (path: string) => Route {
  const templates = new Map<string, Map<string, OperationPlace>>();
  for (const place of operationsOf(document)) {
    const operations = templates.get(place.path) ?? new Map<string, OperationPlace>();
    templates.set(place.path, operations.set(place.method.toUpperCase(), place));
  }
  // Concrete paths come first (OpenAPI, "Path Templating Matching").
  const byConcreteness = [...templates].toSorted(([a], [b]) => parameterCount(a) - parameterCount(b));
  const routes = byConcreteness.map(([template, operations]) => ({
    pattern: patternOf(template),
    operations,
  }));
  return (path) => routes.find(({ pattern }) => pattern.test(path))?.operations ?? new Map();
}

/** The methods that a path answers: `HEAD` comes with `GET`, and `OPTIONS` with every path (decisions §2). */
export function methodsOf(route: Route): readonly string[] {
  return [...route.keys(), ...(route.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function parameterCount(template: string): number {
  return template.split('{').length - 1;
}

function patternOf(template: string): RegExp {
  const source = template
    .split(/\{[^}]+\}/)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}
