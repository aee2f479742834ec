import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureDeps } from './deps.mjs'
import {
  arePagesCurrent,
  buildWithLock,
  hasBuiltPages,
  listRunningServerPids,
  makePagesCurrent,
  moveBuiltPages,
  nextBuildFolder,
  readCurrentPagesFolder,
  toPagesFolder,
} from './pages.mjs'

let testFolder = ''

beforeEach(() => {
  testFolder = mkdtempSync(join(tmpdir(), 'pages-'))
})
afterEach(() => rmSync(testFolder, { recursive: true, force: true }))

const [first, second, third] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
const buildHashes = [first, second, third]
const getBuildFolder = (hash: string) => join(testFolder, toPagesFolder(hash))
const listBuilds = () =>
  buildHashes.filter((hash) => existsSync(join(getBuildFolder(hash), 'static/chunk.js')))

function writeFile(path: string, content = '') {
  const file = join(testFolder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Simulates a build: writes pages, types and cache as Next does, and makes the pages current. */
function simulateBuild(hash: string) {
  writeFile(`${nextBuildFolder}/BUILD_ID`, hash)
  writeFile(`${nextBuildFolder}/static/chunk.js`, hash)
  writeFile(`${nextBuildFolder}/types/routes.d.ts`, hash)
  writeFile(`${nextBuildFolder}/cache/a`)
  moveBuiltPages(testFolder, hash)
  makePagesCurrent(testFolder, hash)
}

/**
 * Starts a process that writes a PID file for the current pages, as a server does. It runs until
 * the test stops it.
 */
async function startPageServer() {
  const pagesModuleUrl = pathToFileURL(join(import.meta.dirname, 'pages.mjs')).href
  const serverScript = `import(${JSON.stringify(pagesModuleUrl)}).then(({ reserveCurrentPages }) => { reserveCurrentPages(process.argv[1]); console.info('marked') }); process.stdin.resume()`
  const server = spawn(process.execPath, ['-e', serverScript, testFolder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exitPromise = once(server, 'exit')
  await once(server.stdout, 'data')
  const killServer = () => {
    server.kill('SIGKILL')
    return exitPromise
  }
  const stopServerGracefully = () => {
    server.stdin.end()
    return exitPromise
  }
  return {
    pid: server.pid ?? 0,
    mark: join(testFolder, readCurrentPagesFolder(testFolder) ?? '', `servers/${server.pid}`),
    kill: killServer,
    end: stopServerGracefully,
  }
}

test('a build has its own folder, which the next start uses', () => {
  expect(readCurrentPagesFolder(testFolder)).toBeUndefined()
  expect([hasBuiltPages(testFolder, first), arePagesCurrent(testFolder, first)]).toEqual([
    false,
    false,
  ])
  simulateBuild(first)
  expect(readCurrentPagesFolder(testFolder)).toBe(toPagesFolder(first))
  expect([hasBuiltPages(testFolder, first), arePagesCurrent(testFolder, first)]).toEqual([
    true,
    true,
  ])
  expect(readFileSync(join(getBuildFolder(first), 'static/chunk.js'), 'utf8')).toBe(first)
  expect(readdirSync(join(testFolder, nextBuildFolder)).sort()).toEqual(['cache', 'types'])
})

test('later builds keep the files of a running server, and the first build after its end removes them', async () => {
  simulateBuild(first)
  const server = await startPageServer()
  try {
    simulateBuild(second)
    simulateBuild(third)
    expect(readCurrentPagesFolder(testFolder)).toBe(toPagesFolder(third))
    expect(listBuilds()).toEqual([first, third])
  } finally {
    await server.end()
  }
  simulateBuild(second)
  expect(listBuilds()).toEqual([second])
})

test('a switch to an earlier build restores the types of its routes', async () => {
  simulateBuild(first)
  const server = await startPageServer()
  try {
    simulateBuild(second)
    makePagesCurrent(testFolder, first)
    expect(readFileSync(join(testFolder, nextBuildFolder, 'types/routes.d.ts'), 'utf8')).toBe(first)
  } finally {
    await server.end()
  }
})

test('a mark with the ID of an unrelated process does not count as a server and is removed', () => {
  simulateBuild(first)
  const pidFile = `${toPagesFolder(first)}/servers/${process.pid}`
  writeFile(pidFile, `${process.pid} of an earlier start`)
  expect(listRunningServerPids(testFolder)).toEqual([])
  expect(existsSync(join(testFolder, pidFile))).toBe(false)
})

test('packages are not replaced while a server runs', async () => {
  simulateBuild(first)
  writeFile('package.json', '{}')
  writeFile(
    'package-lock.json',
    JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } }),
  )
  const server = await startPageServer()
  try {
    await expect(ensureDeps(testFolder, () => undefined)).rejects.toThrow(
      `a server runs from this folder (process ${server.pid}): stop it first`,
    )
  } finally {
    await server.end()
  }
})

test('a server removes its mark at its end, and the mark of a killed one is ignored', async () => {
  simulateBuild(first)
  const [one, two] = [await startPageServer(), await startPageServer()]
  expect(listRunningServerPids(testFolder).sort()).toEqual([one.pid, two.pid].sort())
  await one.end()
  expect([existsSync(one.mark), existsSync(two.mark)]).toEqual([false, true])
  await two.kill()
  expect(listRunningServerPids(testFolder)).toEqual([])
})

test('the remains of an interrupted move are not a build and are removed', () => {
  writeFile(`${toPagesFolder(first)}.part/BUILD_ID`)
  expect(hasBuiltPages(testFolder, first)).toBe(false)
  simulateBuild(second)
  expect(readdirSync(join(testFolder, '.next')).sort()).toEqual([
    basename(toPagesFolder(second)),
    'current',
    'new',
  ])
})

test('two builds run one after the other, and the mark of a killed build does not block them', async () => {
  writeFile('.next/building', `${process.pid} of an earlier start`)
  const eventOrder: string[] = []
  const waitedForPids: number[] = []
  let finishFirstBuild = () => {}
  const firstBuildFinished = new Promise<void>((resolve) => {
    finishFirstBuild = resolve
  })
  const recordWait = (otherPid: number) => {
    waitedForPids.push(otherPid)
    finishFirstBuild()
  }
  const firstBuild = buildWithLock(testFolder, recordWait, async () => {
    eventOrder.push('one begins')
    await firstBuildFinished
    eventOrder.push('one ends')
  })
  const secondBuild = buildWithLock(testFolder, recordWait, async () => void eventOrder.push('two'))
  await Promise.all([firstBuild, secondBuild])
  expect(eventOrder).toEqual(['one begins', 'one ends', 'two'])
  expect(waitedForPids).toEqual([process.pid])
  expect(readdirSync(join(testFolder, '.next'))).toEqual([])
})
