/** The imports by their name on the command line. */

import { type ImportJob, type ImportReport, importFile } from './import-file.js';
import { orderKind, productKind, userKind } from './import-kinds.js';

export const importRecords = {
  users: (job: ImportJob) => importFile(userKind, job),
  products: (job: ImportJob) => importFile(productKind, job),
  orders: (job: ImportJob) => importFile(orderKind, job),
} satisfies Record<string, (job: ImportJob) => Promise<ImportReport>>;
