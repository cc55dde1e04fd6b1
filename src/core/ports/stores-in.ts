/** The stores of a transaction. */
import type { Stores, Transaction } from './storage.js';
import type { StoreTransaction } from './transaction.js';

type Method = (...given: never) => unknown;

/** The methods of all stores, in the form in which a storage runs them. */
type MethodsOf<Form> = Readonly<Record<string, Readonly<Record<string, Form>>>>;

/**
 * Makes the stores of a transaction, each when it is first used: a transaction uses few of them.
 *
 * @param call - runs a method in the transaction
 */
export function storesIn<Form extends Method>(
  methods: Readonly<Record<string, object>>,
  call: (method: Form, given: readonly unknown[]) => Promise<unknown>,
  own: StoreTransaction,
  joined: Stores['joined'],
): Transaction {
  const made: Record<string, unknown> = {
    ...own,
    joined,
    transaction: (work: (transaction: Transaction) => unknown) => work(transaction),
  };
  const forms = methods as MethodsOf<Form>;
  const storeOf = (name: string) => {
    const store = forms[name];
    if (store === undefined) return undefined;
    const answering = Object.entries(store).map(([each, method]) => [
      each,
      (...given: unknown[]) => call(method, given),
    ]);
    return Object.fromEntries(answering) as unknown;
  };
  const transaction = new Proxy(made, {
    get: (known, name: string) => (known[name] ??= storeOf(name)),
    has: (known, name: string) => name in known || name in forms,
  }) as unknown as Transaction;
  return transaction;
}
