/**
 * Counts the records of RFC 4180 text that comes in pieces, so that what arrived can be held against what was promised: a record ends at a line
 * feed outside quotes. Doubled quotes inside a value open and close it again, which changes nothing.
 */
export function recordCounter(): { take: (piece: string) => void; count: () => number } {
  let quoted = false
  let records = 0
  let atStart = true
  return {
    take(piece) {
      for (const character of piece) {
        if (character === '"') quoted = !quoted
        const ends = character === '\n' && !quoted
        if (ends) records += 1
        atStart = ends
      }
    },
    count: () => (atStart ? records : records + 1),
  }
}
