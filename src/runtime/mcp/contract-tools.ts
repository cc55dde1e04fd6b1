/** Offers the operations of a contract as tools of the Model Context Protocol, and calls them. */

import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { type HttpHandler, type HttpRequest, Problem, type RequestHeaders, memoryRequest } from '../index.js';
import { type OperationChoice, Selection } from '../contract/selectors.js';
import { requireAll } from '../http/path-choice.js';
import { type DocumentOperation, type Node, linkedDocument, operationsOf } from './openapi-document.js';
import { type ToolInput, compileInput } from './tool-input.js';
import { type ToolOutput, compileOutput, failure, resultOf } from './tool-output.js';

/** Options that choose the operations and the engine that answers their calls. */
export interface McpOptions<Host = unknown> extends OperationChoice {
  /** The REST engine of the contract, or any handler that answers its requests. Each call is a request to it. */
  readonly engine: HttpHandler<Host> & {
    readonly operations?: readonly { readonly id: string; readonly method: string; readonly path: string }[];
  };
  /** The contract's OpenAPI document, parsed, in one file. */
  readonly document: Node;
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

interface CompiledTool {
  readonly tool: Tool;
  readonly input: ToolInput;
  readonly output: ToolOutput;
}

export class ContractTools<Host = unknown> {
  /** The tools, in the order of the document. */
  readonly list: readonly Tool[];
  readonly #engine: HttpHandler<Host>;
  readonly #byName: ReadonlyMap<string, CompiledTool>;

  /** @throws for a selector that selects no operation, and for an operation that cannot be a tool */
  constructor(options: McpOptions<Host>) {
    requireAll(options.engine);
    const document = linkedDocument(options.document);
    const tools = chosenOperations({ ...options, document }).map(({ id, operation }) =>
      compileTool(document, id, operation),
    );
    this.list = tools.map(({ tool }) => tool);
    this.#engine = options.engine;
    this.#byName = new Map(tools.map((each) => [each.tool.name, each]));
    if (this.#byName.size < tools.length) throw new Error('two operations become tools of one name');
  }

  /** Calls a tool. A refusal is also a result. @returns undefined for an unknown tool */
  async call(
    name: string,
    given: Node,
    { headers, address, signal, host }: CallOrigin<Host>,
  ): Promise<CallToolResult | undefined> {
    const called = this.#byName.get(name);
    if (called === undefined) return undefined;
    const { accept } = called.output;
    try {
      const parts = called.input.requestOf(given);
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
      return await resultOf(await this.#engine(request), called.output.schema, request.path);
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

interface NamedOperation {
  readonly id: string;
  readonly operation: DocumentOperation;
}

function chosenOperations<Host>({
  document,
  engine,
  only,
  except,
}: McpOptions<Host>): readonly NamedOperation[] {
  const offered = new Selection({ only, except });
  const named = new Selection({
    only: only?.filter((selector) => /^(?:operation|method):/.test(selector)) ?? [],
  });
  const chosen = operationsOf(document).flatMap((operation) => {
    const { method, path, node } = operation;
    const id = operation.id ?? idOf(operation, engine.operations ?? []);
    const tags = Array.isArray(node['tags']) ? node['tags'].map(String) : [];
    const selectable = { id, method, path, tags };
    if (!offered.has(selectable) || !(READING.has(method) || named.has(selectable))) return [];
    if (id === undefined) throw new Error(`${method} ${path} has no operationId to call its tool`);
    return [{ id, operation }];
  });
  offered.requireUsed();
  return chosen;
}

/** The id that the generator gave to an operation without an operationId. */
function idOf(
  { method, path }: DocumentOperation,
  operations: NonNullable<McpOptions['engine']['operations']>,
): string | undefined {
  return operations.find((each) => each.method === method && each.path === path)?.id;
}

function compileTool(document: Node, id: string, operation: DocumentOperation): CompiledTool {
  try {
    const input = compileInput(document, operation);
    const output = compileOutput(document, operation);
    const { summary, description } = operation.node;
    const sentences = [summary, description]
      .filter((each) => typeof each === 'string')
      .map((each) => each.trim());
    return {
      input,
      output,
      tool: {
        // Letters, digits, `_`, `-` and `.` (MCP, "Tool Names").
        name: id.replaceAll(/[^\w.-]/g, '_').slice(0, 128),
        ...(typeof summary === 'string' && { title: summary }),
        description: sentences.length > 0 ? sentences.join('\n\n') : `${operation.method} ${operation.path}`,
        inputSchema: input.schema,
        ...(output.schema !== undefined && { outputSchema: output.schema }),
        annotations: READING.has(operation.method)
          ? { readOnlyHint: true }
          : { readOnlyHint: false, idempotentHint: REPEATABLE.has(operation.method) },
      },
    };
  } catch (error) {
    throw new Error(`operation ${id}: ${(error as Error).message}`, { cause: error });
  }
}
