import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell has no window and runs the same pages in a third less time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const macPaths = ['Google Chrome', 'Chromium'].flatMap((app) =>
  ['', process.env.HOME ?? ''].map((home) => `${home}/Applications/${app}.app/Contents/MacOS/${app}`),
)

export function runnable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * Returns all paths at which a system's own Chromium or Chrome may be, best first.
 * @param {Record<string, string | undefined>} env
 */
export function systemBrowsers(env = process.env, platform = process.platform) {
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(Boolean)
    return roots.map((root) => join(root, 'Google\\Chrome\\Application\\chrome.exe'))
  }
  const onPath = names.flatMap((name) =>
    (env.PATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((folder) => join(folder, name)),
  )
  return platform === 'darwin' ? [...onPath, ...macPaths] : onPath
}

/**
 * Returns the first installed browser: Playwright's own download, else the system's. Undefined if there is none.
 * @param {{ playwright: string, env?: Record<string, string | undefined>, platform?: string, works?: (path: string) => boolean }} where
 */
export function findBrowser({ playwright, env = process.env, platform = process.platform, works = runnable }) {
  return [playwright, ...systemBrowsers(env, platform)].find((path) => path && works(path))
}
