/** Excludes requests whose path the router would read as that of another operation, or with other values. */

import { type GivenRequest, valueOf } from '../client/requests.js';
import { writeParameters } from '../client/write-parameters.js';
import type { OperationContract, PathNode } from '../contract/contract.js';
import { type PathMatch, compilePaths } from '../rest/operation/path-matcher.js';

type Router = (path: string) => PathMatch<string> | undefined;

const routers = new WeakMap<PathNode, Router>();

/** Whether the path of a request leads to its operation, with its values. */
export function isRouted(
  paths: PathNode,
  id: string,
  { method, path, parameters = [] }: OperationContract,
  request: GivenRequest,
): boolean {
  const inPath = parameters.filter((each) => each.in === 'path');
  const router = routers.get(paths) ?? compilePaths(paths, (operation) => operation);
  routers.set(paths, router);
  const written = (template: string, own = inPath): string =>
    writeParameters(template, own, (each) => valueOf(request, each)).path;
  const match = router(written(path));
  return (
    match?.targets.get(method) === id &&
    inPath.every((each) => written(`/{${each.name}}`, [each]) === `/${match.values[each.index ?? 0] ?? ''}`)
  );
}
