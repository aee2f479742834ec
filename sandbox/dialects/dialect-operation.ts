import type { Operation } from '@/sandbox/operation'
import type { Dialect } from './dialect'

export function toDialectOperation(dialect: Dialect, operation: Operation): Operation | undefined {
  const overrides = dialect.changesOf(operation)
  return overrides && { ...operation, ...overrides }
}

export const toDialectOperations = (
  dialect: Dialect,
  operations: readonly Operation[],
): Operation[] => operations.flatMap((operation) => toDialectOperation(dialect, operation) ?? [])
