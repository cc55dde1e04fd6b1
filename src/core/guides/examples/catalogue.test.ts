// catalogue.test.ts
import { test } from 'node:test';
import { storageChecksOf } from '@concordat/core/conformance';
import { memoryStorage } from '@concordat/core/storage/memory'; // yours

for (const check of storageChecksOf('products')) {
  test(`${check.level} ${check.id}: ${check.name}`, () =>
    check.run(() => ({ products: memoryStorage().products })));
}
