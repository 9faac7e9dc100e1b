package mcpserver

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"missiond/internal/jsonwire"
)

// prompt is a beginning that a person chooses in their client.
type prompt struct {
	name, title, description string
	args                     []*mcp.PromptArgument
	// text is what the person says; {name} is the argument's value.
	text string
}

func allPrompts() []*prompt {
	return []*prompt{
		{
			name: "plan_a_mission", title: "Plan a mission", description: "Plans a mission from a goal, and shows it before it is created.",
			args: []*mcp.PromptArgument{{Name: "goal", Title: "Goal", Description: "What the mission is to reach", Required: true}},
			text: "I want to plan a mission with this goal:\n{goal}\n\nSee which accounts there are (accounts_and_limits). Propose a brief and estimate it (mission_estimate). Show me the plan with its cost, and create it (mission_create) as a draft once I agree.",
		},
		{
			name: "review_the_inbox", title: "Review the inbox", description: "Goes through the posts that wait for review.",
			text: "Go through the posts that wait for review (reviews_list), the first to expire first. For each show me its text and what speaks for and against it (post_get). Approve or reject only what I tell you to.",
		},
		{
			name: "report_the_week", title: "Report the week", description: "Sums up the last seven days.",
			text: "Sum up the last seven days: what was published and how it did (results_get), which missions need something (missions_list, reviews_list), and what is planned for the next seven days (posts_list). Half a page, figures first.",
		},
	}
}

func (p *prompt) described() *mcp.Prompt {
	return &mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: p.args}
}

// maxArgument bounds an argument of a prompt, in characters.
const maxArgument = 4_000

func (p *prompt) handle(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text := p.text
	for _, arg := range p.args {
		value := strings.TrimSpace(req.Params.Arguments[arg.Name])
		if value == "" && arg.Required || utf8.RuneCountInString(value) > maxArgument {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: arg.Name + ": 1 to 4000 characters are required."}
		}
		text = strings.ReplaceAll(text, "{"+arg.Name+"}", value)
	}
	return &mcp.GetPromptResult{Description: p.description, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
}

// protocolError returns an error as the protocol has those that aren't of tools.
func protocolError(shown shownError) error {
	data, err := jsonwire.Marshal(shown)
	if err != nil {
		data = nil
	}
	return &jsonrpc.Error{Code: codeRefused, Message: string(shown.Code) + ": " + shown.Message, Data: data}
}

// cacheable says how long lists may be kept, and by whom: they depend on the caller's scopes.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, reads := req.(*mcp.ReadResourceRequest); !reads {
		c.TTLMs = cacheFor
	}
}
