// Package occupation codes a job title to SOC 2020 ("Occupations are coded
// with SOC 2020"): the register of the classification's groups, a list of
// titles as adverts word them, and the rules that find the one in the other.
// What cannot be coded stays unknown.
package occupation
