/**
 * Runs a prepared statement of `pg` with several values in one exchange with the server, which takes little longer than one run: most of
 * a run is the write and the read of the socket. `pg` also asks on each run how the rows look; here it asks when it parses the statement.
 */

import pg from 'pg';

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
  #columns: Columns = [];
  #connection: Connection | undefined;
  #rows: unknown[] = [];
  readonly #answers: Rows[] = [];

  constructor(
    readonly name: string,
    readonly text: string,
    private readonly runs: readonly Values[],
    /** `pg` may replace it. */
    public callback: (error: Error | null, answers: readonly Rows[]) => void,
  ) {}

  submit(connection: Connection): void {
    const { name, text } = this;
    const columns = parsed.get(connection)?.get(name);
    this.#connection = connection;
    connection.stream.cork();
    if (columns === undefined) {
      if (connection.parsedStatements[name] === undefined) connection.parse({ name, text });
      connection.describe({ type: 'S', name });
    } else this.#columns = columns;
    for (const values of this.runs) {
      connection.bind({ statement: name, values, valueMapper: utils.prepareValue });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: Fields): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: types.getTypeParser(dataTypeID, 'text'),
    }));
    if (this.#connection === undefined) return;
    const known = parsed.get(this.#connection) ?? new Map<string, Columns>();
    parsed.set(this.#connection, known.set(this.name, this.#columns));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { name, parse } of this.#columns) {
      const text = fields[index++];
      row[name] = text === null || text === undefined ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
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
 * Runs a prepared statement on a client of `pg`, in one transaction.
 *
 * @param runs - the values of each run
 * @returns the rows of each run
 * @throws the error of the first run that fails
 */
export function runStatement(
  client: { query(query: unknown): unknown },
  name: string,
  text: string,
  runs: readonly Values[],
): Promise<readonly Rows[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new StatementRuns(name, text, runs, (error, answers) => {
        if (error) reject(error);
        else resolve(answers);
      }),
    );
  });
}
