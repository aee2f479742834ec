import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendAudit, hashAuditRow } from '@/lib/server/audit/chain'
import { readHeads, storeHead } from '@/lib/server/audit/heads'
import { getPublicKey } from '@/lib/server/audit/signing'
import { verifyAudit } from '@/lib/server/audit/verify'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { sampleItems, sampleOfEachKind } from '@/tests/sandbox/sample'
import { buildAuditExport, findExportFault } from './harness/audit-export'
import { openTestStore } from './harness/own-store'

const rowCount = 60
/**
 * Number of the newest row that a signed head covers. A signed head is a signature of a row that is
 * stored outside the database, so only later rows can be removed without detection.
 */
const lastSignedRowNumber = 50

/** The seeds of a full run. The short run takes ten seeds for each kind of tampering. */
const seeds = Array.from({ length: 1000 }, (_, at) => at)

/** Returns a seeded random number generator (mulberry32): the same seed gives the same numbers. */
function createRandomGenerator(seed: number) {
  let state = seed
  return (upperBound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state)
    mixedState =
      (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) % upperBound
  }
}

let db: Db
let closeOwnStore: () => Promise<void>

beforeAll(async () => {
  closeOwnStore = await openTestStore('PGlite')
  db = await getDatabase()
  for (let row = 1; row <= rowCount; row += 1) {
    await db.transaction((tx) =>
      appendAudit(tx, {
        code: 'payouts.release.applied',
        actor: randomUUID(),
        target: `payouts/${randomUUID()}`,
      }),
    )
    if (row % 10 === 0 && row <= lastSignedRowNumber) await storeHead()
  }
  await db.execute(sql`alter table audit disable trigger user`)
})
afterAll(() => closeOwnStore?.())

type AuditRow = { seq: number; body: string; prev: string; hash: string }
type TamperFunction = (rows: AuditRow[], draw: (below: number) => number) => AuditRow[]

/**
 * Returns the rows with new numbers and hashes that form a valid chain. An attacker who knows the
 * algorithm can compute them.
 */
function relinkRows(rows: readonly AuditRow[]): AuditRow[] {
  let prevHash = ''
  return rows.map((row, at) => {
    const linkedRow = {
      ...row,
      seq: at + 1,
      prev: prevHash,
      hash: hashAuditRow(at + 1, prevHash, row.body),
    }
    prevHash = linkedRow.hash
    return linkedRow
  })
}

const editRow = (row: AuditRow, draw: (below: number) => number): AuditRow => ({
  ...row,
  body: row.body.replace('applied', `refused${draw(1000)}`),
})

/**
 * Changes that an attacker with the rights of the table's owner can make. Each affects signed rows,
 * so it must be detected.
 */
const tamperFunctions: Readonly<Record<string, TamperFunction>> = {
  edit: (rows, draw) => {
    const rowIndex = draw(lastSignedRowNumber)
    return rows.map((row, each) => (each === rowIndex ? editRow(row, draw) : row))
  },
  'edit and hash the row again': (rows, draw) => {
    const editedIndex = draw(lastSignedRowNumber)
    return rows.map((row, each) => {
      const { body } = editRow(row, draw)
      return each === editedIndex
        ? { ...row, body, hash: hashAuditRow(row.seq, row.prev, body) }
        : row
    })
  },
  delete: (rows, draw) => rows.toSpliced(draw(lastSignedRowNumber), 1),
  insert: (rows, draw) => {
    const insertIndex = draw(lastSignedRowNumber)
    return rows
      .toSpliced(insertIndex, 0, editRow(rows[insertIndex] as AuditRow, draw))
      .map((row, each) => ({ ...row, seq: each + 1 }))
  },
  swap: (rows, draw) => {
    const swapIndex = draw(lastSignedRowNumber - 1)
    return rows.map((row, each) => {
      const swappedRow =
        each === swapIndex
          ? rows[swapIndex + 1]
          : each === swapIndex + 1
            ? rows[swapIndex]
            : undefined
      return swappedRow ? { ...row, body: swappedRow.body } : row
    })
  },
  'make the whole chain anew': (rows, draw) => {
    const at = draw(lastSignedRowNumber)
    return relinkRows(rows.map((row, each) => (each === at ? editRow(row, draw) : row)))
  },
  'delete and make the rest anew': (rows, draw) =>
    relinkRows(rows.toSpliced(draw(lastSignedRowNumber), 1)),
  'cut the tail': (rows, draw) => rows.slice(0, draw(lastSignedRowNumber - 1) + 1),
}

/**
 * Replaces the audit rows, and the stored number and hash of the last row (`audit_head`). An
 * attacker would change both.
 */
async function replaceRows(tx: Db, rows: readonly AuditRow[]): Promise<void> {
  await tx.execute(sql`delete from audit`)
  await tx.execute(
    sql`insert into audit (seq, body, prev, hash) select seq, body, prev, hash from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(seq bigint, body text, prev text, hash text)`,
  )
  const lastRow = rows.at(-1)
  await tx.execute(
    sql`update audit_head set seq = ${lastRow?.seq ?? 0}, hash = ${lastRow?.hash ?? ''}`,
  )
}

class RollbackError extends Error {}

async function readAuditRows(): Promise<AuditRow[]> {
  const { rows } = (await db.execute(
    sql`select seq, body, prev, hash from audit order by seq`,
  )) as unknown as { rows: AuditRow[] }
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}

const tamperingKinds = Object.entries(tamperFunctions)
const tamperingSeeds = sampleOfEachKind(seeds, 10, (seed) => String(seed % tamperingKinds.length))

test(`${tamperingSeeds.length} random changes of the table are detected, each with its first bad row`, async () => {
  const rows = await readAuditRows()
  expect(await verifyAudit(db, readHeads().heads)).toMatchObject({ rows: rowCount, bad: null })
  let detectedCount = 0
  for (const seed of tamperingSeeds) {
    const [name, tamper] = tamperingKinds[seed % tamperingKinds.length] as [string, TamperFunction]
    const drawNumber = createRandomGenerator(seed)
    await db
      .transaction(async (tx) => {
        await replaceRows(tx, tamper(rows, drawNumber))
        const { bad } = await verifyAudit(tx, readHeads().heads)
        expect({ seed, name, bad }).toEqual({
          seed,
          name,
          bad: { seq: expect.any(Number), why: expect.any(String) },
        })
        expect(bad?.seq).toBeLessThanOrEqual(lastSignedRowNumber)
        detectedCount += 1
        throw new RollbackError()
      })
      .catch((error: unknown) => {
        if (!(error instanceof RollbackError)) throw error
      })
  }
  expect(detectedCount).toBe(tamperingSeeds.length)
  expect(await verifyAudit(db, readHeads().heads)).toMatchObject({ rows: rowCount, bad: null })
})

test('a missing tail is undetected only if no head of it was signed', async () => {
  const rows = await readAuditRows()
  const findFaultAfterCut = async (remainingRowCount: number) => {
    let auditFault: unknown
    await db
      .transaction(async (tx) => {
        await replaceRows(tx, rows.slice(0, remainingRowCount))
        auditFault = (await verifyAudit(tx, readHeads().heads)).bad
        throw new RollbackError()
      })
      .catch(() => undefined)
    return auditFault
  }
  expect(await findFaultAfterCut(lastSignedRowNumber)).toBeNull()
  expect(await findFaultAfterCut(lastSignedRowNumber - 1)).toEqual({
    seq: lastSignedRowNumber,
    why: `the chain was cut: row ${lastSignedRowNumber} was there when its head was kept`,
  })
})

test('the standalone verifier accepts an export, and rejects it with any bit changed', async () => {
  const { key } = getPublicKey()
  const auditExportZip = await buildAuditExport(await readAuditRows())
  expect(findExportFault(auditExportZip, { key })).toBeNull()
  expect(findExportFault(auditExportZip, { key: '0'.repeat(16) })).toContain('not by 0000')
  const exportedFiles = unzipSync(auditExportZip)
  const { 'signature.json': _, ...signedFiles } = exportedFiles
  const fileNames = Object.keys(signedFiles)
  const undetectedChanges: unknown[] = []
  for (const seed of sampleItems(seeds, 80)) {
    const drawRandomNumber = createRandomGenerator(seed)
    const changedFileName = fileNames[drawRandomNumber(fileNames.length)] ?? ''
    const changedBytes = Buffer.from(exportedFiles[changedFileName] ?? [])
    const byteIndex = drawRandomNumber(changedBytes.length)
    changedBytes[byteIndex] = (changedBytes[byteIndex] ?? 0) ^ (1 << drawRandomNumber(8))
    if (
      findExportFault(
        Buffer.from(zipSync({ ...exportedFiles, [changedFileName]: changedBytes }, { level: 0 })),
        {
          key,
        },
      ) === null
    )
      undetectedChanges.push({ seed, name: changedFileName, at: byteIndex })
  }
  expect(undetectedChanges).toEqual([])
  for (const name of fileNames) {
    const { [name]: __, ...fewer } = exportedFiles
    expect([name, findExportFault(Buffer.from(zipSync(fewer)), { key })]).toEqual([
      name,
      `${name}: it is missing`,
    ])
  }
  expect(
    findExportFault(Buffer.from(zipSync({ ...exportedFiles, 'more.txt': Buffer.from('x') })), {
      key,
    }),
  ).toBe('more.txt: it was added after the rest was signed')
})

test('rows changed before an export are detected in the export', async () => {
  const { key } = getPublicKey()
  const rows = await readAuditRows()
  for (const [name, tamper] of tamperingKinds) {
    for (const seed of sampleItems([0, 1, 2, 3, 4], 1))
      expect([
        name,
        findExportFault(await buildAuditExport(tamper(rows, createRandomGenerator(seed))), { key }),
      ]).toEqual([name, expect.any(String)])
  }
})

test('the ID of a key is derived from the key', () => {
  const { key, spki } = getPublicKey()
  expect(key).toBe(
    createHash('sha256').update(Buffer.from(spki, 'base64')).digest('hex').slice(0, 16),
  )
})
