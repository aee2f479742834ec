import { parseEnv } from 'node:util'
import nextEnv from '@next/env'
import { PlainError } from './run-quietly.mjs'

function refuseUnreadable(text, { code }) {
  const file = text.split(/[\s/]/).at(-1)
  throw new PlainError(`${file} cannot be read (${code}): make it readable or remove it, the server would start without it`)
}

/**
 * Throws a PlainError for an unescaped `$` in a file of settings. Next replaces `$name` with a variable, so a password with a `$` would
 * change.
 */
function checkDollars({ path, contents }) {
  const dollarSetting = Object.entries(parseEnv(contents)).find(([, value]) => /(?<!\\)\$/.test(value))
  if (!dollarSetting) return
  const name = /^\w+$/.test(dollarSetting[0]) ? `${dollarSetting[0]} in ` : ''
  throw new PlainError(`${name}${path}: write \\$ for a dollar sign; values do not refer to others`)
}

/**
 * Returns the settings as the server reads them. Variables of the shell, including empty ones, override `.env.production.local`,
 * `.env.local`, `.env.production` and `.env` in the folder, in this order. With `dev`, the names contain `development` instead.
 * Uses Next's own reader, so that starts and commands read the same files as the server. Does not change this process's variables.
 * `sourceOf` returns the file of a variable, or 'the environment'. Throws a PlainError for an unreadable file and for a value with an
 * unescaped `$`.
 */
export function readSettings(folder, { dev = false } = {}) {
  const shellEnv = process.env
  // Next's reader changes process.env. Its mode `test` would skip files that the server reads.
  process.env = { ...shellEnv, NODE_ENV: dev ? 'development' : 'production' }
  try {
    const log = { info: () => undefined, error: refuseUnreadable }
    const { combinedEnv, loadedEnvFiles: files } = nextEnv.loadEnvConfig(folder, dev, log, true)
    files.forEach(checkDollars)
    const findFile = (name) => files.find(({ env }) => name in env)?.path
    return { variables: combinedEnv, sourceOf: (name) => (shellEnv[name] === undefined ? findFile(name) : 'the environment') }
  } finally {
    process.env = shellEnv
  }
}
