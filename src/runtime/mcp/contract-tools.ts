/** Offers the operations of a contract as tools of the Model Context Protocol, and calls them. */

import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import {
  type HttpHandler,
  type HttpRequest,
  Problem,
  type RequestHeaders,
  memoryRequest,
  type MemoryRequestParts,
} from '../index.js';
import { type OperationChoice, Selection } from '../contract/selectors.js';
import { requireAll } from '../http/path-choice.js';
import { reached } from '../contract/reached.js';
import type { ToolOperation, ToolSchema, ToolTable } from '../contract/tool-table.js';
import { failure, resultOf } from './tool-output.js';
import { writeParameters } from '../rest/encode/write-parameters.js';
import { writeExactJson } from '../http/response-writers.js';
import { type Node, argumentOf } from './arguments.js';

/** Options that choose the operations and the engine that answers their calls. */
export interface McpOptions<Host = unknown> extends OperationChoice {
  /** The REST engine of the contract, or any handler that answers its requests. Each call is a request to it. */
  readonly engine: HttpHandler<Host>;
  /** The `tools` of the generated `tools.ts`. */
  readonly tools: ToolTable;
  /**
   * The operations to offer, such as `tag:Orders`, `path:/users/**` and `operation:createOrder`. Those that write (all but GET, HEAD and
   * QUERY) are offered only if an `operation:` or a `method:` selects them. Default: every operation that only reads.
   */
  readonly only?: readonly string[];
  /** Selectors of operations that are not offered. */
  readonly except?: readonly string[];
}

/** Per-call data in addition to the arguments. */
export type CallOrigin<Host> = Pick<HttpRequest<Host>, 'headers' | 'address' | 'signal' | 'host'>;

const READING = new Set(['GET', 'HEAD', 'QUERY']);
const REPEATABLE = new Set(['PUT', 'DELETE']);

export class ContractTools<Host = unknown> {
  /** The tools, in the order of the contract. */
  readonly list: readonly Tool[];
  readonly #engine: HttpHandler<Host>;
  readonly #byName: ReadonlyMap<string, { readonly tool: Tool; readonly operation: ToolOperation }>;

  /** @throws for a selector that selects no operation, and for an operation that cannot be a tool */
  constructor(options: McpOptions<Host>) {
    requireAll(options.engine);
    const [inputs, outputs] = [new Definitions(options.tools.inputs), new Definitions(options.tools.outputs)];
    const compiled = chosenOperations(options).map((operation) => {
      return { operation, tool: toolOf(operation, inputs, outputs) };
    });
    this.list = compiled.map(({ tool }) => tool);
    this.#engine = options.engine;
    this.#byName = new Map(compiled.map((each) => [each.tool.name, each]));
    if (this.#byName.size < compiled.length) throw new Error('two operations become tools of one name');
  }

  /** Calls a tool. A refusal is also a result. @returns undefined for an unknown tool */
  async call(
    name: string,
    given: Node,
    { headers, address, signal, host }: CallOrigin<Host>,
  ): Promise<CallToolResult | undefined> {
    const called = this.#byName.get(name);
    if (called === undefined) return undefined;
    const { tool, operation } = called;
    const { accept } = operation;
    try {
      const parts = requestOf(operation, tool.inputSchema, given);
      const request = memoryRequest({
        ...parts,
        // The model must not choose a credential: the caller's headers replace arguments, and its cookies come first.
        headers: {
          ...parts.headers,
          ...(accept !== undefined && { accept }),
          ...headers,
          ...cookieHeader(headers['cookie'], parts.headers?.['cookie']),
        },
        address,
        signal,
        host,
      });
      return await resultOf(await this.#engine(request), tool.outputSchema !== undefined, request.path);
    } catch (error) {
      if (error instanceof Problem) return failure(error.message);
      throw error;
    }
  }
}

function cookieHeader(...cookies: readonly RequestHeaders[string][]): RequestHeaders {
  const given = cookies.flatMap((each) => each ?? []);
  return given.length === 0 ? {} : { cookie: given.join('; ') };
}

function chosenOperations<Host>({ tools, only, except }: McpOptions<Host>): readonly ToolOperation[] {
  const offered = new Selection({ only, except });
  const named = new Selection({
    only: only?.filter((selector) => /^(?:operation|method):/.test(selector)) ?? [],
  });
  const chosen = tools.operations.filter((operation) => {
    return offered.has(operation) && (READING.has(operation.method) || named.has(operation));
  });
  offered.requireUsed();
  for (const { id, unfit } of chosen) if (unfit !== undefined) throw new Error(`operation ${id}: ${unfit}`);
  return chosen;
}

function toolOf(
  { id, method, title, description, input, output }: ToolOperation,
  inputs: Definitions,
  outputs: Definitions,
): Tool {
  return {
    // Letters, digits, `_`, `-` and `.` (MCP, "Tool Names").
    name: id.replaceAll(/[^\w.-]/g, '_').slice(0, 128),
    ...(title !== undefined && { title }),
    description,
    inputSchema: inputs.complete(input),
    ...(output !== undefined && { outputSchema: outputs.complete(output) }),
    annotations: READING.has(method)
      ? { readOnlyHint: true }
      : { readOnlyHint: false, idempotentHint: REPEATABLE.has(method) },
  };
}

/** The definitions of a table. Tools that need the same ones share the object of them. */
class Definitions {
  readonly #byName: ReadonlyMap<string, ToolSchema>;
  readonly #needed = new Map<string, Node>();

  constructor(definitions: ToolTable['inputs']) {
    this.#byName = new Map(Object.entries(definitions));
  }

  /** A schema with the definitions that it needs. */
  complete({ schema, refers }: ToolSchema<Node>): Tool['inputSchema'] {
    const object = { ...schema, type: 'object' } as const;
    if (refers.length === 0) return object;
    const key = JSON.stringify(refers);
    const needed = this.#needed.get(key) ?? this.#withAll(refers);
    this.#needed.set(key, needed);
    return { ...object, $defs: '$defs' in schema ? { ...(schema['$defs'] as Node), ...needed } : needed };
  }

  #withAll(refers: readonly string[]): Node {
    const names = reached(refers, (name) => this.#byName.get(name)?.refers ?? []);
    return Object.fromEntries([...names].map((name) => [name, this.#byName.get(name)?.schema]));
  }
}

const BODY = 'body';

/**
 * @param input - the schema of all arguments, with its definitions
 *
 * @throws a 400 `Problem` for arguments that no request can carry
 */
function requestOf(
  { method, path, parameters, body }: ToolOperation,
  input: Node,
  given: Node,
): MemoryRequestParts {
  const { properties } = input as { readonly properties: Node };
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  // The engine ignores an unknown query parameter, and a model would believe that the answer is filtered by it.
  if (unknown !== undefined) {
    const known = Object.keys(properties).join(', ');
    throw new Problem(400, `There is no argument ${unknown}: there are ${known === '' ? 'none' : known}`);
  }
  const valueOf = (name: string, hasShape: boolean): unknown =>
    Object.hasOwn(given, name) ? argumentOf(input, properties[name], name, given[name], hasShape) : undefined;
  const names = new Map(parameters.map(([name, notation]) => [notation, name]));
  const written = writeParameters(path, [...names.keys()], (notation) =>
    valueOf(names.get(notation) ?? '', true),
  );
  return {
    ...written,
    method,
    ...(body !== undefined &&
      Object.hasOwn(given, BODY) &&
      bodyPart(body, valueOf(BODY, false), written.headers)),
  };
}

function bodyPart(
  { mediaType, isJson }: NonNullable<ToolOperation['body']>,
  value: unknown,
  headers: MemoryRequestParts['headers'],
): Pick<MemoryRequestParts, 'body' | 'headers'> {
  if (!isJson && typeof value !== 'string') throw new Problem(400, `${BODY} must be string`);
  return {
    body: isJson ? writeExactJson(value) : (value as string),
    headers: { ...headers, 'content-type': mediaType },
  };
}
