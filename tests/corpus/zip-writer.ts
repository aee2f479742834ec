import { deflateRawSync } from 'node:zlib'
import { computeCrc32 } from '@/lib/domain/files/bytes'
import { encodeLatin1, encodeUint16, encodeUint32 } from './sample'

/**
 * An entry of a zip archive. By default it is valid. `method`, `size`, `crc` and `headerName`
 * replace true values with false ones.
 */
export type ZipPart = {
  name: string
  data?: Uint8Array | string
  stored?: boolean
  /**
   * Writes the sizes after the data (a data descriptor), as writers that cannot seek do. `unsigned`
   * omits the descriptor's signature.
   */
  descriptor?: boolean | 'unsigned'
  flags?: number
  method?: number
  size?: number
  crc?: number
  headerName?: string
  extra?: Buffer
  /** The entry points to the data of the previous entry, as in zip bombs. */
  shared?: boolean
}

type ArchiveOptions = {
  before?: Buffer
  between?: Buffer
  after?: Buffer
  comment?: string
  entries?: number
}

type WrittenEntry = { local: Buffer; central: (at: number) => Buffer }

/**
 * Returns the packed bytes of an entry, its compression method, and its checksum and sizes as
 * header bytes.
 */
function compressPartData({ data = '', stored, method, size, crc }: ZipPart) {
  const bytes = Buffer.from(data as string)
  const isStored = stored || bytes.length === 0
  const packedBytes = isStored ? bytes : deflateRawSync(bytes)
  const crcAndSizes = Buffer.concat([
    encodeUint32(crc ?? computeCrc32(bytes)),
    encodeUint32(packedBytes.length),
    encodeUint32(size ?? bytes.length),
  ])
  return { packed: packedBytes, method: method ?? (isStored ? 0 : 8), sizes: crcAndSizes }
}

function writeEntry(part: ZipPart): WrittenEntry {
  const { packed, method, sizes } = compressPartData(part)
  const flags = (part.flags ?? 0) | (part.descriptor ? 8 : 0)
  const [nameBytes, localNameBytes] = [
    Buffer.from(part.name),
    Buffer.from(part.headerName ?? part.name),
  ]
  const extraField = part.extra ?? Buffer.alloc(0)
  const headerFields = Buffer.concat([
    encodeUint16(20),
    encodeUint16(flags),
    encodeUint16(method),
    encodeUint16(0x6000),
    encodeUint16(0x5a21),
  ])
  const descriptorSignature = part.descriptor === true ? encodeUint32(0x08074b50) : Buffer.alloc(0)
  const descriptor = part.descriptor ? Buffer.concat([descriptorSignature, sizes]) : Buffer.alloc(0)
  const localSizeFields = part.descriptor ? Buffer.alloc(12) : sizes
  return {
    local: Buffer.concat([
      encodeUint32(0x04034b50),
      headerFields,
      localSizeFields,
      encodeUint16(localNameBytes.length),
      encodeUint16(extraField.length),
      localNameBytes,
      extraField,
      packed,
      descriptor,
    ]),
    central: (at) => {
      const emptyFields = Buffer.alloc(12)
      return Buffer.concat([
        encodeUint32(0x02014b50),
        encodeUint16(20),
        headerFields,
        sizes,
        encodeUint16(nameBytes.length),
        emptyFields,
        encodeUint32(at),
        nameBytes,
      ])
    },
  }
}

/** Returns a zip archive of these entries. `archive` adds bytes before, between and after them. */
export function writeZip(parts: readonly ZipPart[], archive: ArchiveOptions = {}): Buffer {
  const {
    before = Buffer.alloc(0),
    between = Buffer.alloc(0),
    after = Buffer.alloc(0),
    comment = '',
  } = archive
  const localRecords: Buffer[] = [before]
  const centralRecords: Buffer[] = []
  let offset = before.length
  let lastEntryOffset = offset
  for (const zipPart of parts) {
    const { local, central } = writeEntry(zipPart)
    centralRecords.push(central(zipPart.shared ? lastEntryOffset : offset))
    if (zipPart.shared) continue
    lastEntryOffset = offset
    localRecords.push(local, between)
    offset += local.length + between.length
  }
  const centralDirectory = Buffer.concat(centralRecords)
  const entryCount = archive.entries ?? parts.length
  const endRecord = Buffer.concat([
    encodeUint32(0x06054b50),
    encodeUint16(0),
    encodeUint16(0),
    encodeUint16(entryCount),
    encodeUint16(entryCount),
    encodeUint32(centralDirectory.length),
    encodeUint32(offset),
    encodeUint16(comment.length),
    encodeLatin1(comment),
  ])
  return Buffer.concat([...localRecords, centralDirectory, endRecord, after])
}
