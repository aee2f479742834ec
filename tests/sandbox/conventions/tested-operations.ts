import { beforeAll } from 'vitest'
import { toDialectOperations } from '@/sandbox/dialects/dialect-operation'
import { createDialect } from '@/sandbox/dialects/dialects'
import { type AccountHeaderRule, getAccountHeaderRule } from '@/sandbox/http/api-keys'
import type { Operation } from '@/sandbox/operation'
import { operations } from '@/sandbox/operations'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { type OperationTestContext, openTestContext } from './stage'

const dialects = ['document', 'provider'] as const

type DialectName = (typeof dialects)[number]
/** `accountHeader` is the rule of the default integration, `saas`. */
export type DialectOperation = Operation & {
  dialect: DialectName
  accountHeader: AccountHeaderRule
}

/**
 * Starts a sandbox for each dialect (variant of the API), for the tests of one file. Call the
 * returned functions inside a test, not before.
 */
export function startSandboxPerDialect() {
  const sandboxByDialect = {
    document: startSandboxPerFile(),
    provider: startSandboxPerFile('--dialect', 'provider'),
  }
  const testContextByDialect = new Map<DialectName, OperationTestContext>()
  beforeAll(async () => {
    for (const dialect of dialects)
      testContextByDialect.set(dialect, await openTestContext(sandboxByDialect[dialect].client()))
  })

  function getTestContext({ dialect }: Pick<DialectOperation, 'dialect'>): OperationTestContext {
    const testContext = testContextByDialect.get(dialect)
    if (!testContext) throw new Error('the stage is opened before the tests')
    return testContext
  }
  const getReadOnlyKey = ({ dialect }: Pick<DialectOperation, 'dialect'>): string =>
    sandboxByDialect[dialect].process().keys.read_only
  return { getTestContext, getReadOnlyKey }
}

export const testedOperations: DialectOperation[] = dialects.flatMap((dialect) =>
  toDialectOperations(createDialect(dialect, 0), operations).map((operation) => ({
    ...operation,
    dialect,
    accountHeader: getAccountHeaderRule(operation.account, 'saas'),
  })),
)

/**
 * Returns a field's name in the dialect's errors: the provider writes `page_size` as `PageSize`.
 */
export function toDialectFieldName({ dialect }: DialectOperation, fieldName: string): string {
  if (dialect === 'document') return fieldName
  return fieldName.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Operations for most tests. In the short run, each operation has one dialect, which the seed of
 * the run chooses. Only the test of valid requests uses both dialects in every run.
 */
export const sampledOperations = sampleOfEachKind(testedOperations, 1, ({ id }) => id)
/**
 * Operations for tests of behavior that all operations share. In the short run, these are one per
 * resource, method and account policy.
 */
export const operationsOfEachKind = sampleOfEachKind(
  sampledOperations,
  1,
  ({ id, method, accountHeader }) => `${id.split('.')[0]} ${method} ${accountHeader}`,
)
