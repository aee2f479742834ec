import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Names that exports must not have, and the names to use instead (`say`). `in` limits a rule to
 * matching paths.
 */
const refusedNames: readonly { name: RegExp; say: string; in?: RegExp }[] = [
  {
    name: /^(rows|rowOf|Row|OperationRow)$/,
    say: 'operations, operation(id), Operation',
    in: /^lib\/operations\//,
  },
  { name: /^(movers|provers|deciders)$/, say: 'canMoveMoney, canUploadEvidence, canDecideReviews' },
  { name: /^reach(Of)?$/, say: 'resolveAccount' },
  { name: /^(Asked|ways)$/, say: 'AccessRequest, accountFrom', in: /^lib\/server\// },
  {
    name: /^(learn([A-Z]\w*)?|\w*Learnt|sweep\w*)$/,
    say: 'indexAccount, accountOf, backfillAccounts',
  },
  { name: /^(guards?|Beside)$/, say: 'preconditions, AlsoWrite' },
  { name: /^(book|Booked|book[A-Z]\w*|\w*Booked)$/, say: 'recordAction, Recorded' },
  { name: /^(un)?seal\w*$/, say: 'encrypt, decrypt' },
  {
    name: /^(judge\w*|settle|\w*[mM]akings?\w*)$/,
    say: 'classifyAnswer, completeAction, pendingCreations',
  },
  { name: /^(FactRead|FactOf|useFact|readFact)$/, say: 'ReadValue, ReadResult, useReadBeside' },
  { name: /^(later|Later|later[A-Z]\w*|HeldUntilAlive|useAlive)$/, say: 'useHydrated' },
  {
    name: /^(\w*Trouble\w*|trouble|patience|breath|mostLooks)$/,
    say: 'connectionStatus, timeoutMs, pauseMs, maxPaymentsPolls',
    in: /^lib\/client\/|^lib\/server\/http\//,
  },
  { name: /^(closed|\w*Closed)$/, say: 'disabledReason, useDisabledReasonGetter' },
  { name: /^(turn|turn[A-Z]\w*|\w*Turn)$/, say: 'decision' },
  { name: /^[wW]ork([A-Z]\w*)?$/, say: 'queue' },
  {
    name: /^(Draft|draft[A-Z]\w*)$/,
    say: 'NewAction: a draft is what a browser keeps',
    in: /^lib\/server\//,
  },
  {
    name: /^(speaksForItself|refuseStrangers|refuseOther(Sites|Readers))$/,
    say: 'isServiceError, requireSameOrigin',
  },
  { name: /^planted\w*$/, say: 'violations' },
  {
    name: /^(Desk|DeskScope|DeskProvider|useDesk|open(Own)?Desk)$/,
    say: 'PageContext, PageContextProvider, usePageContext, loadPageContext',
  },
]

const exportPattern =
  /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm

/** Returns `path name. Say: …` for each refused name that a source exports. */
const findRefusedNames = (path: string, source: string): string[] =>
  [...source.matchAll(exportPattern)].flatMap(([, name = '']) =>
    refusedNames.flatMap((each) =>
      each.name.test(name) && (each.in?.test(path) ?? true)
        ? [`${path} ${name}. Say: ${each.say}`]
        : [],
    ),
  )

describe('the detector', () => {
  test.each([
    ['lib/operations/a.ts', "import 'x'\n\nexport const rowOf = (id: string) => id"],
    ['lib/operations/a.ts', "export const movers: readonly string[] = ['operator']"],
    ['lib/server/a.ts', 'export async function bookAction() {}'],
    ['lib/server/a.ts', 'export type Draft = { id: string }'],
    ['components/a.tsx', 'export function useClosed() {}'],
    ['components/a.tsx', 'export type Desk = { account: string }'],
  ])('finds in %s: %j', (path, source) => expect(findRefusedNames(path, source)).toHaveLength(1))

  test.each([
    ['components/payments/list/lists.ts', 'export function rowOf() {}', 'a line of a list'],
    ['components/a.ts', 'export type Draft = { id: string }', 'what a browser keeps'],
    ['lib/a.ts', 'const settle = 1', 'a name of its own file'],
    ['lib/a.ts', '// export const movers = 1', 'a comment'],
    ['lib/a.ts', 'export const workday = 1', 'a longer word'],
  ])('accepts in %s: %j, %s', (path, source) => expect(findRefusedNames(path, source)).toEqual([]))
})

test('exported names follow the naming rules', () => {
  const listedPaths = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'app', 'components', 'lib'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const sourcePaths = listedPaths.split('\n').filter((path) => /(?<!\.d)\.tsx?$/.test(path))
  expect(
    sourcePaths.flatMap((path) => findRefusedNames(path, readFileSync(join(root, path), 'utf8'))),
  ).toEqual([])
})
