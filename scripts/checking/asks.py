#!/usr/bin/env python3
"""Uses the generated Python client with a server that has the demonstration data.

The client's Accept header chooses the format for all requests. The parameter `format` is never
used."""

import sys
from decimal import Decimal

from procurement_lookup_client import AuthenticatedClient
from procurement_lookup_client import models
from procurement_lookup_client.api.contracts import get_contracts
from procurement_lookup_client.api.purchases import get_purchase_223, get_purchase_44
from procurement_lookup_client.api.rnp import check_supplier, check_suppliers


def main():
    client = AuthenticatedClient(
        base_url=sys.argv[1], token="demo", prefix="", auth_header_name="X-API-Key",
        raise_on_unexpected_status=True, headers={"Accept": "application/json"},
    )
    page = get_contracts.sync(client=client, supplier_inn="9602003012")
    assert isinstance(page, models.ContractPage), page
    assert page.totalcount == 1, page
    [contract] = page.contracts
    assert contract.reg_num == "3960100101224000001", contract
    assert Decimal(str(contract.contract_price)) == Decimal("709564.02"), contract
    assert contract.sign_date.isoformat() == "2024-04-22", contract

    error = get_contracts.sync(client=client, supplier_inn="42")
    assert isinstance(error, models.Error), error
    assert error.code == 400, error
    answer = get_contracts.sync_detailed(client=client, supplier_inn="42", errors="http")
    assert answer.status_code == 400 and answer.parsed == error, answer

    card = get_purchase_44.sync(client=client, purchase_number="0296200019924000003")
    assert isinstance(card, models.Purchase44), card
    assert card.lots.lot[0].max_price == 48000, card

    card = get_purchase_223.sync(client=client, purchase_number="32515902214")
    assert isinstance(card, models.Purchase223), card
    assert card.purchase_223.lots.lot.customers.customer.inn == "9601003250", card

    check = check_supplier.sync(client=client, supplier_inn="9602006662")
    assert check.in_rnp and check.entries[0].federal_law == "44", check

    many = check_suppliers.sync(
        client=client, supplier_inn="9602006662,abc", history=models.Switch.VALUE_1
    )
    verdicts = [one.verdict for one in many.suppliers]
    assert verdicts == ["listed", "invalid"], verdicts
    print("the generated Python client works")


if __name__ == "__main__":
    main()
