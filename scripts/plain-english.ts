import { parseSync } from 'vite'

/** Patterns of comments that are hard to read, each with advice on what to write instead. */
const unclearPatterns: readonly { pattern: RegExp; instead: string }[] = [
  {
    pattern: /(?:^|[.;:] )(?:What|Who|Whose|Whoever|Whatever|Whether|Which|That|How)\b(?![^.]*\?)/,
    instead: 'begin with the subject or a verb',
  },
  {
    pattern: /\b(?:nobody|somebody|whoever|whosoever|no one)\b/i,
    instead: 'name the role, or null',
  },
  {
    pattern: /\bwhere (?:there|it|that|nobody|none|one|he|they|nothing|something|somebody)\b/i,
    instead: 'if, when or unless',
  },
  {
    pattern: /\b(?:is|are|was|were|be|been) (?:told|said|asked)\b/i,
    instead: 'contains, returns, shows, requests',
  },
  {
    pattern: /\b(?:says|tells|said|told) (?:so|of|it|that|how|what|which|whose|where|why|when)\b/i,
    instead: 'contains, returns, shows',
  },
  {
    pattern:
      /\b(?:has|have|had) (?:it|them|this|that|the \w+|everything|each|all) (?:read|sent|asked|written|made|done|shown|told|wait|drawn)\b/i,
    instead: 'reads, sends, writes, schedules',
  },
  {
    pattern:
      /\b(?:anew|meanwhile|by then|from here on|once more|goes on|gone through|let go of|in the way of|for good|for want of|all the same)\b/i,
    instead: 'again, since, later, continues, permanently',
  },
]

const vagueWords =
  'asks asked asking tell tells told telling kept keeps held shown said says way ways given gives gone taken looked looking most least stays led lead fits so whole part parts place places plain good fresh again here once others both each own heeded wanted known concerned besides beside seen made came left late'
const vagueNames = new Set(vagueWords.split(' '))

/** `comments` and `names` are counts. The lists contain `path:line text: what to write instead`. */
type EnglishReport = { comments: number; names: number; unclear: string[]; vague: string[] }

const toPlainText = (comment: string) =>
  comment
    .replace(/^\s*\*\s?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

type SyntaxNode = { type: string; id?: SyntaxNode | null; name?: string; start: number }

const declarationTypes = [
  'VariableDeclarator',
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]

function* findDeclaredNames(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const item of value) yield* findDeclaredNames(item)
  if (typeof value !== 'object' || value === null || !('type' in value)) return
  const { type, id } = value as SyntaxNode
  if (declarationTypes.includes(type) && id?.type === 'Identifier') yield id
  for (const inner of Object.values(value)) yield* findDeclaredNames(inner)
}

export function checkEnglish(path: string, source: string): EnglishReport {
  const { comments, program } = parseSync(path, source)
  const findLineNumber = (position: number) => source.slice(0, position).split('\n').length
  const commentTexts = comments
    .map(({ value, start }) => ({ start, text: toPlainText(value) }))
    .filter(({ text }) => text.length >= 15 && !/biome-ignore|@ts-|^https?:/.test(text))
  const declaredNames = [...findDeclaredNames(program)]
  return {
    comments: commentTexts.length,
    names: declaredNames.length,
    unclear: commentTexts.flatMap(({ start, text }) => {
      const brokenRule = unclearPatterns.find(({ pattern }) => pattern.test(text))
      return brokenRule
        ? [`${path}:${findLineNumber(start)} “${text.slice(0, 120)}”: ${brokenRule.instead}`]
        : []
    }),
    vague: declaredNames.flatMap(({ name = '', start }) =>
      vagueNames.has(name) ? [`${path}:${findLineNumber(start)} ${name}: say what it is`] : [],
    ),
  }
}
