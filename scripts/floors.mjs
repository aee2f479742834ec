import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The minimum version of each package: the oldest without a known vulnerability that affects us. It
 * applies to every copy in the lock file.
 */
export const minimumVersions = {
  next: '16.3.3',
  react: '19.2.6',
  'react-dom': '19.2.6',
  'next-auth': '4.24.15',
  sharp: '0.35.0',
}

const parseVersion = (version) => version.split(/[.-]/).slice(0, 3).map(Number)

function isOlder(version, floor) {
  const [has, needs] = [parseVersion(version), parseVersion(floor)]
  const differenceIndex = has.findIndex((part, index) => part !== needs[index])
  return differenceIndex >= 0
    ? has[differenceIndex] < needs[differenceIndex]
    : version.includes('-')
}

/** Returns lines such as `path version < minimum`. */
export function findOutdatedPackages(lockFile) {
  return Object.entries(lockFile.packages).flatMap(([path, { version = '0.0.0' }]) => {
    const name = path.split('node_modules/').at(-1)
    return path.includes('node_modules/') &&
      Object.hasOwn(minimumVersions, name) &&
      isOlder(version, minimumVersions[name])
      ? [`${path} ${version} < ${minimumVersions[name]}`]
      : []
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdatedPackages = findOutdatedPackages(
    JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')),
  )
  for (const line of outdatedPackages) console.error(line)
  process.exit(outdatedPackages.length > 0 ? 1 : 0)
}
