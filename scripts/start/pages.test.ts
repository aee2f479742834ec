import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureDeps } from './deps.mjs'
import {
  arePagesCurrent,
  buildWithLock,
  hasPages,
  listRunningServers,
  movePages,
  newPages,
  readCurrentPages,
  switchPages,
  toPagesFolder,
} from './pages.mjs'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pages-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const [first, second, third] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
const hashes = [first, second, third]
const toFolder = (hash: string) => join(root, toPagesFolder(hash))
const listBuilds = () => hashes.filter((hash) => existsSync(join(toFolder(hash), 'static/chunk.js')))

function writeFile(path: string, content = '') {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Simulates a build: writes pages, types and cache as Next does, and makes the pages current. */
function simulateBuild(hash: string) {
  writeFile(`${newPages}/BUILD_ID`, hash)
  writeFile(`${newPages}/static/chunk.js`, hash)
  writeFile(`${newPages}/types/routes.d.ts`, hash)
  writeFile(`${newPages}/cache/a`)
  movePages(root, hash)
  switchPages(root, hash)
}

/** Starts a process that writes a PID file for the current pages as a server does. It runs until the test stops it. */
async function startPageServer() {
  const module = pathToFileURL(join(import.meta.dirname, 'pages.mjs')).href
  const code = `import(${JSON.stringify(module)}).then(({ takePages }) => { takePages(process.argv[1]); console.info('marked') }); process.stdin.resume()`
  const server = spawn(process.execPath, ['-e', code, root], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exitPromise = once(server, 'exit')
  await once(server.stdout, 'data')
  const killServer = () => {
    server.kill('SIGKILL')
    return exitPromise
  }
  const endServer = () => {
    server.stdin.end()
    return exitPromise
  }
  return { pid: server.pid ?? 0, mark: join(root, readCurrentPages(root) ?? '', `servers/${server.pid}`), kill: killServer, end: endServer }
}

test('a build has its own folder, which the next start uses', () => {
  expect(readCurrentPages(root)).toBeUndefined()
  expect([hasPages(root, first), arePagesCurrent(root, first)]).toEqual([false, false])
  simulateBuild(first)
  expect(readCurrentPages(root)).toBe(toPagesFolder(first))
  expect([hasPages(root, first), arePagesCurrent(root, first)]).toEqual([true, true])
  expect(readFileSync(join(toFolder(first), 'static/chunk.js'), 'utf8')).toBe(first)
  expect(readdirSync(join(root, newPages)).sort()).toEqual(['cache', 'types'])
})

test('later builds keep the files of a running server, and the first build after its end removes them', async () => {
  simulateBuild(first)
  const server = await startPageServer()
  try {
    simulateBuild(second)
    simulateBuild(third)
    expect(readCurrentPages(root)).toBe(toPagesFolder(third))
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
    switchPages(root, first)
    expect(readFileSync(join(root, newPages, 'types/routes.d.ts'), 'utf8')).toBe(first)
  } finally {
    await server.end()
  }
})

test('a mark with the ID of an unrelated process does not count as a server and is removed', () => {
  simulateBuild(first)
  const pidFile = `${toPagesFolder(first)}/servers/${process.pid}`
  writeFile(pidFile, `${process.pid} of an earlier start`)
  expect(listRunningServers(root)).toEqual([])
  expect(existsSync(join(root, pidFile))).toBe(false)
})

test('packages are not replaced while a server runs', async () => {
  simulateBuild(first)
  writeFile('package.json', '{}')
  writeFile('package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } }))
  const server = await startPageServer()
  try {
    await expect(ensureDeps(root, () => undefined)).rejects.toThrow(`a server runs from this folder (process ${server.pid}): stop it first`)
  } finally {
    await server.end()
  }
})

test('a server removes its mark at its end, and the mark of a killed one is ignored', async () => {
  simulateBuild(first)
  const [one, two] = [await startPageServer(), await startPageServer()]
  expect(listRunningServers(root).sort()).toEqual([one.pid, two.pid].sort())
  await one.end()
  expect([existsSync(one.mark), existsSync(two.mark)]).toEqual([false, true])
  await two.kill()
  expect(listRunningServers(root)).toEqual([])
})

test('the remains of an interrupted move are not a build and are removed', () => {
  writeFile(`${toPagesFolder(first)}.part/BUILD_ID`)
  expect(hasPages(root, first)).toBe(false)
  simulateBuild(second)
  expect(readdirSync(join(root, '.next')).sort()).toEqual([basename(toPagesFolder(second)), 'current', 'new'])
})

test('two builds run one after the other, and the mark of a killed build does not block them', async () => {
  writeFile('.next/building', `${process.pid} of an earlier start`)
  const eventOrder: string[] = []
  const notedWaits: number[] = []
  let finishFirst = () => {}
  const isFinished = new Promise<void>((resolve) => {
    finishFirst = resolve
  })
  const noteWait = (other: number) => {
    notedWaits.push(other)
    finishFirst()
  }
  const firstBuild = buildWithLock(root, noteWait, async () => {
    eventOrder.push('one begins')
    await isFinished
    eventOrder.push('one ends')
  })
  const secondBuild = buildWithLock(root, noteWait, async () => void eventOrder.push('two'))
  await Promise.all([firstBuild, secondBuild])
  expect(eventOrder).toEqual(['one begins', 'one ends', 'two'])
  expect(notedWaits).toEqual([process.pid])
  expect(readdirSync(join(root, '.next'))).toEqual([])
})
