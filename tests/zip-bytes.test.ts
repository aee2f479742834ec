import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAuditExport, buildZip, findExportFault } from './harness/audit-export'
import { openOwnStore } from './harness/own-store'

let closeOwnStore: () => Promise<void>

beforeAll(async () => {
  closeOwnStore = await openOwnStore('PGlite')
})
afterAll(() => closeOwnStore?.())

test('a zip file with unlisted bytes is rejected', async () => {
  const zip = await buildAuditExport([])
  const [hidden, list] = [Buffer.from('hidden'), zip.readUInt32LE(zip.length - 6)]
  const moveListOffset = (by: number) => {
    const end = Buffer.from(zip.subarray(zip.length - 22))
    end.writeUInt32LE(list + by, 16)
    return end
  }
  const renamedZip = Buffer.from(zip)
  renamedZip.write('Z', 30)
  const tamperedZips: Record<string, Buffer> = {
    'behind its end': Buffer.concat([zip, hidden]),
    'before its first file': Buffer.concat([hidden, zip]),
    'between its files and their list': Buffer.concat([
      zip.subarray(0, list),
      hidden,
      zip.subarray(list, -22),
      moveListOffset(hidden.length),
    ]),
    'between the list and the end': Buffer.concat([zip.subarray(0, -22), hidden, zip.subarray(-22)]),
    'in another name': renamedZip,
  }
  for (const [where, tampered] of Object.entries(tamperedZips))
    expect([where, findExportFault(tampered)]).toEqual([where, expect.any(String)])
  const files = Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes)] as const)
  expect(findExportFault(buildZip(files))).toBeNull()
  expect(findExportFault(buildZip(files, hidden))).toContain('bytes that belong to no file')
})
