import readline from 'node:readline'
import { Writable } from 'node:stream'

/** Prompts for a password without showing it. If stdin is a pipe, reads its first line. Returns an empty string if there is no input. */
export async function askPassword(prompt: string): Promise<string> {
  const terminal = process.stdin.isTTY === true
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  if (terminal) process.stdout.write(prompt)
  const lines = readline.createInterface({ input: process.stdin, output: silent, terminal })
  for await (const line of lines) {
    lines.close()
    if (terminal) process.stdout.write('\n')
    return line
  }
  return ''
}
