import type { Operation } from '@/sandbox/operation'
import type { Dialect } from './dialect'

export function spokenOperation(dialect: Dialect, operation: Operation): Operation | undefined {
  const changes = dialect.changesOf(operation)
  return changes && { ...operation, ...changes }
}

export const spokenOperations = (dialect: Dialect, operations: readonly Operation[]): Operation[] =>
  operations.flatMap((operation) => spokenOperation(dialect, operation) ?? [])
