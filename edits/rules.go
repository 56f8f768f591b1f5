package edits

// Rule names a rule by which Apply finds a place for an edit, or refuses it.
type Rule string

// The rules. RULES.md says what each is worth.
const (
	// Where lines stand that are not written as the file has them.
	RuleTrailing      Rule = "trailing"
	RuleIndent        Rule = "indent"
	RuleUnits         Rule = "units"
	RuleUneven        Rule = "uneven"
	RuleUnevenGone    Rule = "uneven-gone"
	RuleSimilarUneven Rule = "similar-uneven"
	RuleReordered     Rule = "reordered"
	RuleInventedLoose Rule = "invented-loose"
	RuleBlankLines    Rule = "blank-lines"
	RuleElision       Rule = "elision"
	RuleJoined        Rule = "joined"
	RuleUnicode       Rule = "unicode"
	RuleSimilar       Rule = "similar"
	RuleBareHunk      Rule = "bare-hunk"
	RuleInvented      Rule = "invented"
	RuleFences        Rule = "fences"
	RuleSigns         Rule = "signs"
	RuleSigned        Rule = "signed"
	RuleNumbers       Rule = "numbers"
	RuleEntities      Rule = "entities"
	RuleSplits        Rule = "splits"
	// Which of several places, and how new lines are written there.
	RuleAtEnd    Rule = "at-end"
	RuleHeader   Rule = "header-line"
	RuleOrder    Rule = "order"
	RuleLater    Rule = "later"
	RuleScope    Rule = "scope"
	RuleNearest  Rule = "nearest"
	RuleTop      Rule = "top"
	RuleAnchor   Rule = "anchor"
	RuleFarther  Rule = "farther"
	RuleBeyond   Rule = "beyond-dots"
	RuleRecurs   Rule = "recurs"
	RuleSpells   Rule = "written-out"
	RuleCuttable Rule = "cuttable"
	RuleLikeFile Rule = "like-file"
	RuleDepth    Rule = "depth-unsure"
	RuleFirstOut Rule = "first-out"
	RuleDeep     Rule = "deep-as-search"
	RuleMapped   Rule = "mapped"
	RuleBeside   Rule = "beside-new"
	RuleFilledIn Rule = "blank-filled"
	RuleLastEnd  Rule = "last-end"
	// What a line that differs must have to be a typo.
	RuleOtherLine Rule = "other-line"
	RuleShortGone Rule = "short-removed"
	RuleOtherName Rule = "other-name"
	RuleHalf      Rule = "held-by-half"
	RuleLine      Rule = "line-alike"
	RuleAverage   Rule = "alike-on-average"
	// What is there already.
	RuleTwice  Rule = "twice"
	RuleForms  Rule = "two-forms"
	RuleHad    Rule = "had"
	RuleWithin Rule = "within"
	// Why an edit is refused though it has a place.
	RuleControl Rule = "control"
	RuleDivider Rule = "divider"
	RuleMarkup  Rule = "markup"
	RuleOmitted Rule = "omitted"
	RuleParts   Rule = "parts"
	RuleDropped Rule = "dropped"
	RuleShared  Rule = "shared"
	RuleEmpty   Rule = "empty"
	RuleStands  Rule = "placeholder"
	RuleExists  Rule = "exists"
	// Which file, and what of a listing is its text.
	RuleListNumbers Rule = "listing-numbers"
)

// Reason says why a rule stays. It must save five edits of the corpus, or have another one.
type Reason string

// The reasons.
const (
	BecauseSaves  Reason = "saves"  // edits that would be refused
	BecauseLadder Reason = "ladder" // it is a rung that all tools have
	BecauseFormat Reason = "format" // the formats define it, or names do
	BecauseSafety Reason = "safety" // without it a file becomes what nobody asked for
)

// RuleRow is a rule in the table.
type RuleRow struct {
	Rule Rule
	Why  Reason
	What string
}

// Rules are all of them, in the order of the table.
var Rules = []RuleRow{
	{RuleTrailing, BecauseLadder, "blanks at line ends"},
	{RuleIndent, BecauseLadder, "all lines further in or out"},
	{RuleUnits, BecauseSaves, "tabs for blanks, two for four"},
	{RuleUneven, BecauseSaves, "some lines of a hunk further in or out, most not"},
	{RuleUnevenGone, BecauseSaves, "and of those that go, most"},
	{RuleSimilarUneven, BecauseSaves, "the same where lines differ"},
	{RuleReordered, BecauseSaves, "lines of a hunk in another order, without a change between them"},
	{RuleInventedLoose, BecauseSaves, "comments for lines of the file, where the other lines do not stand as they are"},
	{RuleBlankLines, BecauseLadder, "blank lines too many or too few"},
	{RuleElision, BecauseLadder, "dots for lines that stay"},
	{RuleJoined, BecauseSaves, "a hunk that is several, or lacks lines that stay"},
	{RuleUnicode, BecauseLadder, "typographic characters for plain ones"},
	{RuleSimilar, BecauseLadder, "lines that differ, held by lines that do not"},
	{RuleBareHunk, BecauseSaves, "a hunk whose lines that stay lack their blank"},
	{RuleInvented, BecauseSaves, "comments for lines of the file"},
	{RuleFences, BecauseSaves, "fences inside a block"},
	{RuleSigns, BecauseSafety, "diff signs inside a block"},
	{RuleSigned, BecauseSafety, "diff signs that would stand in the file one blank further in"},
	{RuleNumbers, BecauseSafety, "line numbers inside a block"},
	{RuleEntities, BecauseSaves, "character entities inside a block"},
	{RuleSplits, BecauseSafety, "a divider that is a line of the file"},
	{RuleAtEnd, BecauseFormat, "the end of the file"},
	{RuleHeader, BecauseFormat, "a line number that fits exactly"},
	{RuleOrder, BecauseFormat, "hunks follow each other"},
	{RuleLater, BecauseFormat, "the hunks to come leave one place"},
	{RuleScope, BecauseFormat, "the first below the scope lines"},
	{RuleNearest, BecauseFormat, "a line number that is clearly nearest"},
	{RuleTop, BecauseSafety, "a hunk for an empty file, where there are lines"},
	{RuleAnchor, BecauseSaves, "of several ways around dots or gaps the one nearest to a piece with one place, or any if they come to the same"},
	{RuleFarther, BecauseSafety, "the others must be clearly farther"},
	{RuleBeyond, BecauseSafety, "new lines beyond dots at an end"},
	{RuleRecurs, BecauseSafety, "dots that go must come back in the new text"},
	{RuleSpells, BecauseSafety, "the new text in the place of dots is written as it is"},
	{RuleCuttable, BecauseSafety, "a gap where it is not clear on which side the new lines belong"},
	{RuleLikeFile, BecauseSafety, "new lines as deep as the file already"},
	{RuleDepth, BecauseSafety, "some new lines as deep as the file, some not"},
	{RuleFirstOut, BecauseSafety, "only the first line too far out, perhaps"},
	{RuleDeep, BecauseSafety, "a line on both sides, as deep as the old text"},
	{RuleMapped, BecauseSafety, "new lines with the file's characters"},
	{RuleBeside, BecauseSafety, "blank lines beside new ones"},
	{RuleFilledIn, BecauseSafety, "blank lines that the old text left out"},
	{RuleLastEnd, BecauseSafety, "whether the file ends in a line end"},
	{RuleOtherLine, BecauseSafety, "it is no other line of the file"},
	{RuleShortGone, BecauseSafety, "a short line that goes is equal"},
	{RuleOtherName, BecauseSafety, "no name stands in the place of another one"},
	{RuleHalf, BecauseSafety, "half of the lines are equal"},
	{RuleLine, BecauseSafety, "each line that goes is alike"},
	{RuleAverage, BecauseSafety, "all are alike on average"},
	{RuleTwice, BecauseSafety, "the same edit once more"},
	{RuleForms, BecauseSafety, "the same change in another form"},
	{RuleHad, BecauseSafety, "new text that stood there before the reply"},
	{RuleWithin, BecauseSafety, "old text within the new one"},
	{RuleControl, BecauseSafety, "characters that are no text in the new text"},
	{RuleDivider, BecauseSafety, "a divider line in the new text"},
	{RuleMarkup, BecauseSafety, "lines that mark edits in the new text"},
	{RuleOmitted, BecauseSafety, "a comment in the place of code"},
	{RuleParts, BecauseSafety, "new lines between the head of a block and its body"},
	{RuleDropped, BecauseSafety, "a definition goes that is still called"},
	{RuleShared, BecauseSafety, "text to append that is there for the most part"},
	{RuleEmpty, BecauseSafety, "an empty listing"},
	{RuleStands, BecauseSafety, "a new file of words that stand for its content"},
	{RuleExists, BecauseSafety, "a new file where one is"},
	{RuleListNumbers, BecauseSafety, "line numbers before all lines"},
}

// uses says whether a rule is in force.
func (in *interner) uses(r Rule) bool { return in.without != r }
