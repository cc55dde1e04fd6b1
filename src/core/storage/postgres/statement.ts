/**
 * A prepared statement of `pg` that asks how its rows look only when it is parsed. `pg` asks on each run, and then reads the answer,
 * which takes longer than reading a row. Its classes for cursors extend `Query` in the same way.
 */

import pg from 'pg';

/** The parts of `pg`'s connection and query that its types leave out. */
interface Connection {
  bind(message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  execute(message: object): void;
  sync(): void;
}

interface Fields {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

interface Outcome {
  readonly rows: unknown[];
}

type Callback = (error: Error | null, outcome: Outcome) => void;

interface BaseQuery {
  name: string;
  values: unknown[];
  readonly _result: Outcome;
  hasBeenParsed(connection: Connection): boolean;
  prepare(connection: Connection): void;
}

const { Query, types, utils } = pg as unknown as {
  readonly Query: new (text: string, values: unknown[], callback: Callback) => BaseQuery;
  readonly types: { getTypeParser(type: number, format: 'text'): (text: string) => unknown };
  readonly utils: { readonly prepareValue: (value: unknown) => unknown };
};

type Columns = readonly { readonly name: string; readonly parse: (text: string) => unknown }[];

/** The columns of parsed statements, by connection and name. */
const parsed = new WeakMap<Connection, Map<string, Columns>>();

class Statement extends Query {
  #connection: Connection | undefined;
  #columns: Columns = [];

  constructor(name: string, text: string, values: unknown[], callback: Callback) {
    super(text, values, callback);
    this.name = name;
  }

  override prepare(connection: Connection): void {
    this.#connection = connection;
    const columns = this.hasBeenParsed(connection) ? parsed.get(connection)?.get(this.name) : undefined;
    if (columns === undefined) {
      super.prepare(connection);
      return;
    }
    this.#columns = columns;
    connection.bind({ statement: this.name, values: this.values, valueMapper: utils.prepareValue });
    connection.execute({});
    connection.sync();
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
    this._result.rows.push(row);
  }
}

/** Runs a prepared statement on a client of `pg`. */
export function runStatement(
  client: { query(query: unknown): unknown },
  name: string,
  text: string,
  values: unknown[],
): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Statement(name, text, values, (error, outcome) => {
        if (error) reject(error);
        else resolve(outcome.rows);
      }),
    );
  });
}
