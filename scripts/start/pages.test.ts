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
  currentPages,
  hasPages,
  movePages,
  newPages,
  runningServers,
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
const builds = () => hashes.filter((hash) => existsSync(join(toFolder(hash), 'static/chunk.js')))

function write(path: string, content = '') {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Simulates a build: writes pages, types and cache as Next does, and makes the pages current. */
function simulateBuild(hash: string) {
  write(`${newPages}/BUILD_ID`, hash)
  write(`${newPages}/static/chunk.js`, hash)
  write(`${newPages}/types/routes.d.ts`, hash)
  write(`${newPages}/cache/a`)
  movePages(root, hash)
  switchPages(root, hash)
}

/** Starts a process that writes a PID file for the current pages as a server does. It runs until the test stops it. */
async function startPageServer() {
  const module = pathToFileURL(join(import.meta.dirname, 'pages.mjs')).href
  const code = `import(${JSON.stringify(module)}).then(({ takePages }) => { takePages(process.argv[1]); console.info('marked') }); process.stdin.resume()`
  const server = spawn(process.execPath, ['-e', code, root], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  await once(server.stdout, 'data')
  const kill = () => {
    server.kill('SIGKILL')
    return ended
  }
  const end = () => {
    server.stdin.end()
    return ended
  }
  return { pid: server.pid ?? 0, mark: join(root, currentPages(root) ?? '', `servers/${server.pid}`), kill, end }
}

test('a build has its own folder, which the next start uses', () => {
  expect(currentPages(root)).toBeUndefined()
  expect([hasPages(root, first), arePagesCurrent(root, first)]).toEqual([false, false])
  simulateBuild(first)
  expect(currentPages(root)).toBe(toPagesFolder(first))
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
    expect(currentPages(root)).toBe(toPagesFolder(third))
    expect(builds()).toEqual([first, third])
  } finally {
    await server.end()
  }
  simulateBuild(second)
  expect(builds()).toEqual([second])
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
  write(pidFile, `${process.pid} of an earlier start`)
  expect(runningServers(root)).toEqual([])
  expect(existsSync(join(root, pidFile))).toBe(false)
})

test('packages are not replaced while a server runs', async () => {
  simulateBuild(first)
  write('package.json', '{}')
  write('package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } }))
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
  expect(runningServers(root).sort()).toEqual([one.pid, two.pid].sort())
  await one.end()
  expect([existsSync(one.mark), existsSync(two.mark)]).toEqual([false, true])
  await two.kill()
  expect(runningServers(root)).toEqual([])
})

test('the remains of an interrupted move are not a build and are removed', () => {
  write(`${toPagesFolder(first)}.part/BUILD_ID`)
  expect(hasPages(root, first)).toBe(false)
  simulateBuild(second)
  expect(readdirSync(join(root, '.next')).sort()).toEqual([basename(toPagesFolder(second)), 'current', 'new'])
})

test('two builds run one after the other, and the mark of a killed build does not block them', async () => {
  write('.next/building', `${process.pid} of an earlier start`)
  const order: string[] = []
  const waits: number[] = []
  let finish = () => {}
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const noteWait = (other: number) => {
    waits.push(other)
    finish()
  }
  const one = buildWithLock(root, noteWait, async () => {
    order.push('one begins')
    await isFinished
    order.push('one ends')
  })
  const two = buildWithLock(root, noteWait, async () => void order.push('two'))
  await Promise.all([one, two])
  expect(order).toEqual(['one begins', 'one ends', 'two'])
  expect(waits).toEqual([process.pid])
  expect(readdirSync(join(root, '.next'))).toEqual([])
})
