import { parseEnv } from 'node:util'
import nextEnv from '@next/env'
import { PlainError } from './run-quietly.mjs'

const unreadable = (text, error) => {
  const file = text.split(/[\s/]/).at(-1)
  throw new PlainError(`${file} cannot be read (${error.code}): make it readable or remove it, the server would start without it`)
}

/** Next fills `$name` in where older readers leave it: a password with a `$` would be another one from one day to the next. */
function checkDollars({ path, contents }) {
  for (const [name, value] of Object.entries(parseEnv(contents))) {
    if (!/(?<!\\)\$/.test(value)) continue
    throw new PlainError(`${/^\w+$/.test(name) ? `${name} in ` : ''}${path}: write \\$ for a dollar sign; values do not refer to others`)
  }
}

/**
 * The settings as the server sees them: the variables of the shell, empty ones included, then what `.env.production.local`, `.env.local`,
 * `.env.production` and `.env` of the folder add (`development` in their names with `dev`). It is Next's own reader, so there is no file that the
 * server would read and a start or a command would not. Leaves the variables of this process alone; `sourceOf` says where one came from. Throws a
 * PlainError that names a file which is there and cannot be read, or a value that needs another spelling.
 */
export function readSettings(folder, { dev = false } = {}) {
  const shell = { ...process.env }
  // The reader knows a mode `test` too, in which it leaves out files that the server then reads.
  process.env.NODE_ENV = dev ? 'development' : 'production'
  try {
    const { combinedEnv, loadedEnvFiles: files } = nextEnv.loadEnvConfig(folder, dev, { info: () => undefined, error: unreadable }, true)
    files.forEach(checkDollars)
    const fileOf = (name) => files.find(({ env }) => name in env)?.path
    return { variables: { ...combinedEnv }, sourceOf: (name) => (shell[name] === undefined ? fileOf(name) : 'the environment') }
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in shell)) delete process.env[name]
    Object.assign(process.env, shell)
  }
}
