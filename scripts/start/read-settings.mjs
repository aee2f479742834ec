import { parseEnv } from 'node:util'
import nextEnv from '@next/env'
import { PlainError } from './run-quietly.mjs'

function refuseUnreadable(text, { code }) {
  const file = text.split(/[\s/]/).at(-1)
  throw new PlainError(`${file} cannot be read (${code}): make it readable or remove it, the server would start without it`)
}

/** Throws a PlainError for an unescaped `$`. Next expands `$name`, which older readers left alone: a password with a `$` would change. */
function checkDollars({ path, contents }) {
  const found = Object.entries(parseEnv(contents)).find(([, value]) => /(?<!\\)\$/.test(value))
  if (!found) return
  const name = /^\w+$/.test(found[0]) ? `${found[0]} in ` : ''
  throw new PlainError(`${name}${path}: write \\$ for a dollar sign; values do not refer to others`)
}

/**
 * Returns the settings as the server reads them: the shell's variables, including empty ones, then those of `.env.production.local`,
 * `.env.local`, `.env.production` and `.env` in the folder (`development` in their names with `dev`). Uses Next's own reader, so starts and
 * commands read the same files as the server. Does not change this process's variables. `sourceOf` returns the source of a variable. Throws
 * a PlainError that names an unreadable file, or a value that needs another spelling.
 */
export function readSettings(folder, { dev = false } = {}) {
  const shell = process.env
  // Next's reader changes process.env. In the mode `test`, it skips files that the server reads.
  process.env = { ...shell, NODE_ENV: dev ? 'development' : 'production' }
  try {
    const log = { info: () => undefined, error: refuseUnreadable }
    const { combinedEnv, loadedEnvFiles: files } = nextEnv.loadEnvConfig(folder, dev, log, true)
    files.forEach(checkDollars)
    const fileOf = (name) => files.find(({ env }) => name in env)?.path
    return { variables: combinedEnv, sourceOf: (name) => (shell[name] === undefined ? fileOf(name) : 'the environment') }
  } finally {
    process.env = shell
  }
}
