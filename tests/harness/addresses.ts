import { readdirSync } from 'node:fs'

/** The id of an object that does not exist. */
export const unknownId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'

/**
 * Returns one path for each page and route handler of the application, derived from the folders in
 * `app`.
 */
export const listAppPaths = (): string[] =>
  readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)(?:page\.tsx|route\.ts)$/.test(file))
    .map((file) =>
      `/${file}`
        .replace(/\/(?:page\.tsx|route\.ts)$/, '')
        .replace(/\/\([^)]+\)/g, '')
        .replace('[environment]', 'sandbox')
        .replace('[id]', unknownId)
        .replace('[seq]', '1')
        .replace(/\[\.\.\.\w+\]/, 'unknown/address'),
    )
    .map((path) => path || '/')
