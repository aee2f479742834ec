// Empties the data folder of a Paydesk server for browser tests. If the integration tests of this
// build have already created an embedded database, copies it into the folder. This saves the eight
// seconds that creating a database takes.
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [dataFolder = ''] = process.argv.slice(2)
const migratedStoreFolder = 'build/migrated-store'

const readText = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
const buildId = readText('.next/current')

rmSync(dataFolder, { recursive: true, force: true })
if (buildId && readText(join(migratedStoreFolder, 'build')) === buildId)
  cpSync(join(migratedStoreFolder, 'store'), join(dataFolder, 'store'), { recursive: true })
