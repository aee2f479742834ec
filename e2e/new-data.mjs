// Empties the data folder of a desk for browser tests. If this build's integration tests have migrated a store, copies it into the folder,
// because creating a store takes eight seconds.
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [data = ''] = process.argv.slice(2)
const migratedStoreFolder = 'build/migrated-store'

const readText = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
const build = readText('.next/current')

rmSync(data, { recursive: true, force: true })
if (build && readText(join(migratedStoreFolder, 'build')) === build)
  cpSync(join(migratedStoreFolder, 'store'), join(data, 'store'), { recursive: true })
