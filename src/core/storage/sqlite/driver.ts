/** Loads SQLite: that of Node, or where Node has none that suffices, the one of the package `@photostructure/sqlite` with the same interface. */

import { createRequire } from 'node:module';
import type * as Sqlite from '@photostructure/sqlite';

/** The part of both that the store uses. */
type Driver = Pick<typeof Sqlite, 'DatabaseSync'>;

const PACKAGE = '@photostructure/sqlite';

/** The class whose instances are connections. @throws an error that says what to install */
export const { DatabaseSync }: Driver = driverOfNode() ?? driverOfPackage();

/** Node 22.16 and 24 have what the store needs: the columns of a statement, and rows as arrays. */
function driverOfNode(): Driver | undefined {
  const driver = withoutWarning(() => process.getBuiltinModule('node:sqlite') as NodeDriver | undefined);
  return driver !== undefined && 'setReturnArrays' in driver.StatementSync.prototype ? driver : undefined;
}

type NodeDriver = Driver & { readonly StatementSync: { readonly prototype: object } };

function driverOfPackage(): Driver {
  try {
    return createRequire(import.meta.url)(PACKAGE) as Driver;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    throw new Error(
      `Node ${process.versions.node} has no SQLite that suffices, and the optional package ${PACKAGE} is not installed: npm install ${PACKAGE}, or use Node 24`,
      { cause: error },
    );
  }
}

/** Keeps Node from printing that its SQLite is experimental, which is no news for those who run a program. */
function withoutWarning<T>(load: () => T): T {
  const emitWarning = Reflect.get<NodeJS.Process, 'emitWarning'>(process, 'emitWarning');
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
