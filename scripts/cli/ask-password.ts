import readline from 'node:readline'
import { Writable } from 'node:stream'

/**
 * Reads a password without showing it. If stdin is a pipe, reads its first line. Returns an empty
 * string if there is no input.
 */
export async function askPassword(prompt: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  if (isTerminal) process.stdout.write(prompt)
  const lineReader = readline.createInterface({
    input: process.stdin,
    output: silentOutput,
    terminal: isTerminal,
  })
  for await (const line of lineReader) {
    lineReader.close()
    if (isTerminal) process.stdout.write('\n')
    return line
  }
  return ''
}
