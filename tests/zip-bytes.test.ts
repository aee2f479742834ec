import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAuditExport, buildZip, findExportFault } from './harness/audit-export'
import { openTestStore } from './harness/own-store'

let closeOwnStore: () => Promise<void>

beforeAll(async () => {
  closeOwnStore = await openTestStore('PGlite')
})
afterAll(() => closeOwnStore?.())

test('a zip file with unlisted bytes is rejected', async () => {
  const zip = await buildAuditExport([])
  const [hiddenBytes, listOffset] = [Buffer.from('hidden'), zip.readUInt32LE(zip.length - 6)]
  const buildMovedEndRecord = (by: number) => {
    const endRecord = Buffer.from(zip.subarray(zip.length - 22))
    endRecord.writeUInt32LE(listOffset + by, 16)
    return endRecord
  }
  const renamedZip = Buffer.from(zip)
  renamedZip.write('Z', 30)
  const tamperedZips: Record<string, Buffer> = {
    'behind its end': Buffer.concat([zip, hiddenBytes]),
    'before its first file': Buffer.concat([hiddenBytes, zip]),
    'between its files and their list': Buffer.concat([
      zip.subarray(0, listOffset),
      hiddenBytes,
      zip.subarray(listOffset, -22),
      buildMovedEndRecord(hiddenBytes.length),
    ]),
    'between the list and the end': Buffer.concat([
      zip.subarray(0, -22),
      hiddenBytes,
      zip.subarray(-22),
    ]),
    'in another name': renamedZip,
  }
  for (const [where, tampered] of Object.entries(tamperedZips))
    expect([where, findExportFault(tampered)]).toEqual([where, expect.any(String)])
  const files = Object.entries(unzipSync(zip)).map(
    ([name, bytes]) => [name, Buffer.from(bytes)] as const,
  )
  expect(findExportFault(buildZip(files))).toBeNull()
  expect(findExportFault(buildZip(files, hiddenBytes))).toContain('bytes that belong to no file')
})
