package querylimit

import (
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// MaxErrors is how many errors of a document are reported.
const MaxErrors = 20

// instead are the rules that replace the validator's rules of the same names: our
// rule on overlapping fields, and rules that don't search the schema for similar
// names.
var instead = map[string]core.Rule{
	rules.OverlappingFieldsCanBeMergedRule.Name: Overlapping,
	rules.FieldsOnCorrectTypeRule.Name:          rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
	rules.KnownArgumentNamesRule.Name:           rules.KnownArgumentNamesRuleWithoutSuggestions,
	rules.KnownTypeNamesRule.Name:               rules.KnownTypeNamesRuleWithoutSuggestions,
	rules.ScalarLeafsRule.Name:                  rules.ScalarLeafsRuleWithoutSuggestions,
	rules.ValuesOfCorrectTypeRule.Name:          rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
}

// Rules returns GraphQL's validation rules for one document: they take time in
// proportion to its length, and report at most MaxErrors errors.
func Rules() *rules.Rules {
	all, told := rules.NewRules(), 0
	for name, rule := range rules.NewDefaultRules().GetInner() {
		if other, ok := instead[name]; ok {
			name, rule = other.Name, other.RuleFunc
		}
		all.AddRule(name, func(observers *core.Events, report core.AddErrFunc) {
			rule(observers, func(options ...core.ErrorOption) {
				if told++; told <= MaxErrors {
					report(options...)
				}
			})
		})
	}
	return all
}
