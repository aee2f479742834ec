// Empties the data folder of a desk that browser tests use. A store that integration tests have migrated is copied there: to make one takes eight seconds.
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [data = ''] = process.argv.slice(2)
const migrated = 'build/migrated-store/store'

rmSync(data, { recursive: true, force: true })
if (existsSync(migrated)) cpSync(migrated, join(data, 'store'), { recursive: true })
