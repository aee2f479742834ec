import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from './harness/free-port'
import { signIn } from './harness/person'
import {
  buildPayout,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'
import { trySignIn } from './harness/sign-in'
import { waitForExit, waitUntil } from './harness/wait-until'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))
const apiKey = 'key-of-this-test-0123456789'
const projectCopyFolders: string[] = []
const childProcesses: ChildProcess[] = []
let stubService: StubService

beforeAll(async () => {
  stubService = await startStubService()
})
afterEach(async () => {
  for (const child of childProcesses.splice(0)) {
    child.kill('SIGTERM')
    await waitForExit(child)
  }
})
afterAll(async () => {
  for (const clone of projectCopyFolders) fs.rmSync(clone, { recursive: true, force: true })
  await stubService?.stop()
})

/**
 * Creates a copy of the project with these settings files, such as `.env`. Large folders are
 * symbolic links. Returns the path of the copy.
 */
function createProjectCopy(files: Record<string, string>): string {
  const projectCopyFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-clone-'))
  projectCopyFolders.push(projectCopyFolder)
  fs.cpSync(path.join(projectRoot, 'scripts'), path.join(projectCopyFolder, 'scripts'), {
    recursive: true,
  })
  for (const name of [
    'node_modules',
    '.next',
    'build',
    'drizzle',
    'package.json',
    'next.config.mjs',
  ])
    fs.symlinkSync(path.join(projectRoot, name), path.join(projectCopyFolder, name))
  for (const [name, text] of Object.entries(files))
    fs.writeFileSync(path.join(projectCopyFolder, name), text)
  return projectCopyFolder
}

/**
 * Runs a Node program in the copy, with only the environment variables `PATH`, `NODE_ENV` and those
 * in `env`. `NODE_ENV` is `test`, which some shells set: Paydesk must read the same settings files
 * with any `NODE_ENV`.
 */
function runProgram(
  projectFolder: string,
  args: string[],
  env: Record<string, string> = {},
  input = '',
) {
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
  })
  child.stdin.end(input)
  childProcesses.push(child)
  let outputText = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (outputText += part.toString()))
  const exitCodePromise = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { output: () => outputText, code: exitCodePromise, ended: () => child.exitCode !== null }
}

async function findFreePortSettings() {
  const [PORT, SANDBOX_PORT] = [String(await findFreePort()), String(await findFreePort())]
  return { PORT, SANDBOX_PORT }
}

const buildProductionSettings = () =>
  `SERVICE_PRODUCTION_URL=${stubService.url}\nSERVICE_PRODUCTION_API_KEY=${apiKey}\n`

describe('a production service named in a Next settings file', () => {
  test.each(['.env.local', '.env.production', '.env.production.local'])(
    '%s turns off the demo with any NODE_ENV',
    async (file) => {
      const portSettings = await findFreePortSettings()
      const dashboardRun = runProgram(
        createProjectCopy({ [file]: buildProductionSettings() }),
        ['scripts/start.mjs'],
        portSettings,
      )
      await waitUntil('it to be ready', async () => {
        if (dashboardRun.ended()) throw new Error(dashboardRun.output())
        return dashboardRun.output().includes('Ctrl-C stops it') ? true : null
      })
      const url = `http://127.0.0.1:${portSettings.PORT}`
      expect(dashboardRun.output()).not.toContain('paydesk-demo')
      expect(await (await fetch(`${url}/sign-in`)).text()).not.toContain('paydesk-demo')
      expect((await trySignIn(url, 'operator@paydesk.test', 'paydesk-demo')).ok).toBe(false)
    },
  )
})

test('a setting with a meaning when empty stays empty from a file to the service', async () => {
  const projectCopy = createProjectCopy({
    '.env': `${buildProductionSettings()}SERVICE_ACCOUNT_PREFIX=\nSERVICE_LIST_STYLE=\n`,
  })
  const adminCreateFlags = [
    '--email',
    'operator@company.test',
    '--name',
    'Operator',
    '--role',
    'operator',
  ]
  const adminCreateRun = runProgram(
    projectCopy,
    ['build/admin-create.mjs', ...adminCreateFlags],
    {},
    'paydesk-demo\n',
  )
  expect([await adminCreateRun.code, adminCreateRun.output()]).toEqual([0, expect.any(String)])
  const portSettings = await findFreePortSettings()
  const programRun = runProgram(projectCopy, ['scripts/start.mjs'], portSettings)
  await waitUntil('it to be ready', () => {
    if (programRun.ended()) throw new Error(programRun.output())
    return programRun.output().includes('Ctrl-C stops it') ? true : null
  })
  const person = await signIn(`http://127.0.0.1:${portSettings.PORT}`, 'operator@company.test')
  const account = randomUUID()
  const payoutId = stubService.object((payout) =>
    respondWith(200, wrapInEnvelope(buildPayout(payout))),
  )
  expect(
    (await person.get(`/api/production/v1/payouts/${payoutId}?account=acct_${account}`)).status,
  ).toBe(200)
  expect(stubService.about(payoutId)[0]?.headers['service-account-id']).toBe(account)
})

describe('the start is refused in one line for', () => {
  const setByStartPattern =
    /^EMBEDDED_SANDBOX\w* in \S+ is set by the start itself[^\n]+SERVICE_SANDBOX_URL[^\n]+\n$/
  // scripts/start/read-settings.test.ts tests every settings file and setting. Only the tests here
  // start a new process, so only they can also set environment variables, as a shell does.
  const fileCases: [string, Record<string, string>, RegExp][] = [
    ['the old switch in a file', { '.env': 'EMBEDDED_SANDBOX=1\n' }, setByStartPattern],
    [
      'a sandbox of its own in a file',
      { '.env.local': 'EMBEDDED_SANDBOX_URL=http://127.0.0.1:9\n' },
      setByStartPattern,
    ],
    [
      'its key in a file',
      { '.env.production': `EMBEDDED_SANDBOX_API_KEY=${apiKey}\n` },
      setByStartPattern,
    ],
    [
      'half a service, in a file that only Next would read',
      { '.env.production.local': 'SERVICE_PRODUCTION_URL=https://service.test\n' },
      /^SERVICE_PRODUCTION_URL is set but SERVICE_PRODUCTION_API_KEY is not: [^\n]+\n$/,
    ],
    [
      'a value that two readers read differently',
      { '.env': 'AUTH_SECRET=canary$word\n' },
      /^AUTH_SECRET in \.env: write \\\$ [^\n]+\n$/,
    ],
  ]
  test.each([
    ...fileCases.map(([name, files, line]) => [name, files, {}, line] as const),
    [
      'a sandbox of its own in the shell',
      {},
      { EMBEDDED_SANDBOX_URL: 'http://127.0.0.1:9' },
      /^EMBEDDED_SANDBOX_URL in the environment /,
    ] as const,
  ])('%s', async (_name, files, env, line) => {
    const failedRun = runProgram(createProjectCopy(files), ['scripts/start.mjs'], {
      ...(await findFreePortSettings()),
      ...env,
    })
    expect(await failedRun.code).toBe(1)
    expect(failedRun.output()).toMatch(line)
    expect(failedRun.output()).not.toMatch(new RegExp(`${apiKey}|canary`))
  })

  test('an unreadable file', async () => {
    const emptyProjectCopy = createProjectCopy({})
    fs.symlinkSync('.env.local', path.join(emptyProjectCopy, '.env.local'))
    const unreadableFileRun = runProgram(
      emptyProjectCopy,
      ['scripts/start.mjs'],
      await findFreePortSettings(),
    )
    expect(await unreadableFileRun.code).toBe(1)
    expect(unreadableFileRun.output()).toMatch(/^\.env\.local cannot be read \(ELOOP\): [^\n]+\n$/)
  })
})

test('a command reads the same files as the server, and the first file with a setting wins', async () => {
  const projectWithTwoFiles = createProjectCopy({
    '.env': 'DATA_DIR=first\nLOG_LEVEL=warn\n',
    '.env.local': 'DATA_DIR=second\n',
  })
  const migrateRun = runProgram(projectWithTwoFiles, ['build/db-migrate.mjs'])
  expect(await migrateRun.code).toBe(0)
  const storeFolder = path.join(fs.realpathSync(projectWithTwoFiles), 'second', 'store')
  expect(migrateRun.output()).toBe(
    `the store is up to date: the embedded store in ${storeFolder}, because DATABASE_URL is not set\n`,
  )
  expect(
    ['first', 'second', 'data'].filter((name) =>
      fs.existsSync(path.join(projectWithTwoFiles, name)),
    ),
  ).toEqual(['second'])
})
