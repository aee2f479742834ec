import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findOutdatedPackages, minimumVersions } from './floors.mjs'

type LockFile = {
  packages: Record<string, { version?: string; dev?: boolean; optional?: boolean; link?: boolean }>
}
const lockFile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile

test('no package is older than its minimum version', () => {
  for (const name of ['next', 'react', 'react-dom', 'next-auth'])
    expect(lockFile.packages).toHaveProperty([`node_modules/${name}`])
  expect(findOutdatedPackages(lockFile)).toEqual([])
})

test.each([
  ['16.3.2', true],
  ['16.3.3', false],
  ['16.3.3-canary.1', true],
  ['16.10.0', false],
  ['15.9.9', true],
  ['17.0.0', false],
])('next %s is below its minimum version: %s', (version, isBelow) => {
  const outdatedPackages = findOutdatedPackages({
    packages: { 'node_modules/a/node_modules/next': { version } },
  })
  expect(outdatedPackages).toEqual(
    isBelow ? [`node_modules/a/node_modules/next ${version} < ${minimumVersions.next}`] : [],
  )
})

test('the bill of materials contains every production package', () => {
  const sbomJson = execFileSync('npm', ['run', '--silent', 'sbom'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const billOfMaterials = JSON.parse(sbomJson) as {
    bomFormat: string
    components: { purl: string }[]
  }
  expect(billOfMaterials.bomFormat).toBe('CycloneDX')
  const packagesInBill = new Set(
    billOfMaterials.components.map(({ purl }) =>
      decodeURIComponent(purl.replace('pkg:npm/', '').split('?')[0] ?? ''),
    ),
  )
  const installedPackages = Object.entries(lockFile.packages).flatMap(
    ([path, { version, dev, optional, link }]) =>
      path.includes('node_modules/') && !dev && !optional && !link
        ? [`${path.split('node_modules/').at(-1)}@${version}`]
        : [],
  )
  expect(installedPackages.length).toBeGreaterThan(100)
  expect(installedPackages.filter((name) => !packagesInBill.has(name))).toEqual([])
})
