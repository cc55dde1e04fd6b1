/**
 * Runs statements of `pg` in one exchange with the server, which takes little longer than one of them: most of a run is the write and the
 * read of the socket. `pg` also asks on each run how the rows look; here it asks when it parses the statement.
 */

import pg from 'pg';
import type { Query } from '../sql/query/query.js';

/** The parts of `pg`'s connection that its types leave out. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  /** The texts by name. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(message: { name: string; text: string }): void;
  describe(message: { type: 'S'; name: string }): void;
  bind(message: { statement: string; values: Values; valueMapper: (value: unknown) => unknown }): void;
  execute(message: object): void;
  sync(): void;
}

type Values = readonly unknown[];

type Rows = readonly unknown[];

interface Fields {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

const { types, utils } = pg as unknown as {
  readonly types: { getTypeParser(type: number, format: 'text'): (text: string) => unknown };
  readonly utils: { readonly prepareValue: (value: unknown) => unknown };
};

type Columns = readonly { readonly name: string; readonly parse: (text: string) => unknown }[];

/** The columns of parsed statements, by connection and name. */
const parsed = new WeakMap<Connection, Map<string, Columns>>();

/** What `pg` sends in place of a query of its own, as its cursors do. It calls these methods with the answers of the server. */
class StatementRuns {
  #known = new Map<string, Columns>();
  #columns: Columns | undefined;
  #rows: unknown[] = [];
  readonly #answers: Rows[] = [];

  constructor(
    private readonly statements: readonly Query[],
    /** `pg` may replace it. */
    public callback: (error: Error | null, answers: readonly Rows[]) => void,
  ) {}

  /** The name of the statement that is answered next. `pg` notes that the server has parsed it. */
  get name(): string {
    return this.statements[this.#answers.length]?.name ?? '';
  }

  get text(): string | undefined {
    return this.statements[this.#answers.length]?.sql;
  }

  submit(connection: Connection): void {
    this.#known = parsed.get(connection) ?? this.#known;
    parsed.set(connection, this.#known);
    const described = new Set<string>();
    connection.stream.cork();
    for (const { name = '', sql: text, parameters: values } of this.statements) {
      if (name === '' || !(this.#known.has(name) || described.has(name))) {
        if (connection.parsedStatements[name] === undefined) connection.parse({ name, text });
        connection.describe({ type: 'S', name });
        described.add(name);
      }
      connection.bind({ statement: name, values, valueMapper: utils.prepareValue });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: Fields): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: types.getTypeParser(dataTypeID, 'text'),
    }));
    this.#known.set(this.name, columns);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#columns ??= this.#known.get(this.name) ?? [];
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { name, parse } of this.#columns) {
      const text = fields[index++];
      row[name] = text === null || text === undefined ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
    // One without rows has no description.
    if (!this.#known.has(this.name)) this.#known.set(this.name, []);
    this.#columns = undefined;
    this.#answers.push(this.#rows);
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#answers);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }
}

/**
 * Runs statements on a client of `pg`, one after the other until one fails. Unless one of them begins a transaction, they are one.
 *
 * @param statements - those with a name are prepared
 * @returns the rows of each
 * @throws the error of the first one that fails
 */
export function runStatements(
  client: { query(query: unknown): unknown },
  statements: readonly Query[],
): Promise<readonly Rows[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new StatementRuns(statements, (error, answers) => {
        if (error) reject(error);
        else resolve(answers);
      }),
    );
  });
}
