import { parseEnv } from 'node:util'
import nextEnv from '@next/env'
import { UserFacingError } from './run-quietly.mjs'

function throwUnreadableFile(errorText, { code }) {
  const unreadableFile = errorText.split(/[\s/]/).at(-1)
  throw new UserFacingError(
    `${unreadableFile} cannot be read (${code}): make it readable or remove it, the server would start without it`,
  )
}

/**
 * Throws if a value has an unescaped `$`: Next replaces `$name` with the value of a variable, so a
 * password with a `$` would change.
 */
function checkUnescapedDollars({ path, contents }) {
  const settingWithDollar = Object.entries(parseEnv(contents)).find(([, value]) =>
    /(?<!\\)\$/.test(value),
  )
  if (!settingWithDollar) return
  const settingLabel = /^\w+$/.test(settingWithDollar[0]) ? `${settingWithDollar[0]} in ` : ''
  throw new UserFacingError(
    `${settingLabel}${path}: write \\$ for a dollar sign; values do not refer to others`,
  )
}

/**
 * Returns the settings as the server reads them, with Next's own reader. Variables of the shell,
 * including empty ones, override the files `.env.production.local`, `.env.local`, `.env.production`
 * and `.env`; an earlier file overrides a later one. With `dev`, the names contain `development`
 * instead. `sourceOf` returns the file of a variable, or 'the environment'. Throws a UserFacingError for
 * an unreadable file and for a value with an unescaped `$`.
 */
export function readSettings(folder, { dev = false } = {}) {
  const shellEnv = process.env
  // Next's reader changes process.env, which is restored below. It skips some files in its mode
  // `test`, so another mode is set here.
  process.env = { ...shellEnv, NODE_ENV: dev ? 'development' : 'production' }
  try {
    const envFileLogger = { info: () => undefined, error: throwUnreadableFile }
    const { combinedEnv, loadedEnvFiles: files } = nextEnv.loadEnvConfig(
      folder,
      dev,
      envFileLogger,
      true,
    )
    files.forEach(checkUnescapedDollars)
    const findSettingFile = (name) => files.find(({ env }) => name in env)?.path
    return {
      variables: combinedEnv,
      sourceOf: (name) =>
        shellEnv[name] === undefined ? findSettingFile(name) : 'the environment',
    }
  } finally {
    process.env = shellEnv
  }
}
